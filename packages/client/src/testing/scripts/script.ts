import type { Citation, Json, JsonObject, ReceiptRow, RunError, RunResult, RunUsage } from "@stemma/core";
import type { AskRequest } from "../../types/ask";
import type { FoundPassage, SearchRequest } from "../../types/knowledge/search";
import type { WireRunEvent } from "../../types/run";
import type { FakeCall } from "../fake-request";

/** Answer that completes a run. Fields that are left out are filled in. */
export interface ScriptedAnswer {
	/** Text is streamed in words; JSON is not streamed, as in a service. */
	readonly output: Json;
	/** Numbered in this order, unless they have an `n`. */
	readonly citations?: readonly Partial<Citation>[];
	readonly usage?: Partial<RunUsage>;
	readonly receipt?: readonly Partial<ReceiptRow>[];
}

/** Failure of a run or of an answer. */
export interface ScriptedFailure {
	readonly error: RunError;
}

/**
 * One event of a run. Text by itself is a `text.delta` of the answer; `run_id`, `seq`, `at` and whatever else a test does
 * not care about are filled in. An answer or a failure ends the run.
 */
export type ScriptedEvent = string | ScriptedAnswer | ScriptedFailure | PartialRunEvent;

/** An event of which only the `type` must be said. `run.started` is always there. */
export type PartialRunEvent =
	Exclude<WireRunEvent, { readonly type: "run.started" }> extends infer Event
		? Event extends WireRunEvent
			? { readonly type: Event["type"] } & {
					readonly [Key in Exclude<keyof Event, "type" | "run_id" | "seq">]?: Key extends "result"
						? Partial<RunResult>
						: Event[Key];
				}
			: never
		: never;

/** Request of a scripted run. */
export interface ScriptedRunRequest {
	/** The id or slug that it was asked by. */
	readonly agent: string;
	readonly input: Json;
	readonly context: JsonObject;
	/** Aborts when the run is cancelled. */
	readonly signal: AbortSignal;
}

/**
 * Script of a run: its end, its events one by one, or a function of the request that returns one of these. A run whose
 * events have no end completes with the text so far. The run waits for whatever a generator waits for. If it is
 * cancelled meanwhile, the generator's `signal` aborts, and its `finally` runs when the wait is over.
 */
export type RunScript = RunReply | ((request: ScriptedRunRequest) => RunReply | PromiseLike<RunReply>);

export type RunReply =
	| string
	| ScriptedAnswer
	| ScriptedFailure
	| Iterable<ScriptedEvent>
	| AsyncIterable<ScriptedEvent>;

/** An answer of `ask`. What is left out is filled in. */
export interface ScriptedAskAnswer {
	/** Streamed in words. */
	readonly answer: string;
	readonly citations?: readonly Partial<Citation>[];
	/** Default: those that the citations name. */
	readonly passages?: readonly Partial<FoundPassage>[];
	readonly receipt?: readonly Partial<ReceiptRow>[];
	readonly usage?: Partial<RunUsage>;
	readonly refused?: "no_relevant_passages" | "no_answer_in_passages";
	readonly warnings?: readonly ("no_citations" | "other_language" | "instructions_removed")[];
}

/** One event of an answer; text by itself is a `text.delta`. An answer or a failure is the last. */
export type ScriptedAskEvent =
	| string
	| ScriptedAskAnswer
	| ScriptedFailure
	| { readonly type: "ask.passages"; readonly passages: readonly Partial<FoundPassage>[] }
	| { readonly type: "text.reset" };

export type AskScript =
	| AskReply
	| ((request: AskRequest, signal: AbortSignal) => AskReply | PromiseLike<AskReply>);

export type AskReply =
	| string
	| ScriptedAskAnswer
	| ScriptedFailure
	| Iterable<ScriptedAskEvent>
	| AsyncIterable<ScriptedAskEvent>;

/** The passages that are found, best first, or a function of the request that tells. */
export type SearchScript =
	| readonly Partial<FoundPassage>[]
	| ((
			request: SearchRequest,
	  ) => readonly Partial<FoundPassage>[] | PromiseLike<readonly Partial<FoundPassage>[]>);

/** Script of a custom route: a body, or a function of the call that returns one. */
export type RouteScript =
	| object
	| ((call: FakeCall, params: Readonly<Record<string, string>>) => object | PromiseLike<object>);

/** Checks for a promise of any kind: some are no `Promise`. */
export const isPromiseLike = (reply: RunReply | PromiseLike<RunReply>): reply is PromiseLike<RunReply> =>
	typeof reply === "object" && reply !== null && "then" in reply && typeof reply.then === "function";
