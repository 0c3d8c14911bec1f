import type { RawResponse, Silence } from "../raw-response.ts";
import type { Fields } from "./field-checks.ts";

/** What the simulator does with a request that it took. */
export type Behaviour = SimulatedReply | SimulatedEmbeddings | SimulatedFailure | RawResponse | Silence;

/** A completion: as one body, or streamed where the request asks for it. */
export interface SimulatedReply {
	readonly kind: "reply";
	readonly text?: string;
	/** Sent as `reasoning_content`, as some vendors do. */
	readonly reasoning?: string;
	readonly toolCalls?: readonly SimulatedToolCall[];
	/** Default `tool_calls` with calls, else `stop`. */
	readonly finishReason?: string;
	/** Default: counted from the lengths. `none` reports nothing, also where usage was asked for. */
	readonly usage?: SimulatedUsage | "none";
	/** Before the headers. */
	readonly delayMs?: number;
	/** Between the chunks of a stream, and before its end. */
	readonly pauseMs?: number;
	/** The second half of a stream waits for it. Default: nothing. */
	readonly held?: Promise<unknown>;
	/** What goes wrong in a stream. */
	readonly fault?: StreamFault;
}

/** Embeddings, by words alone. What is queued for them waits where a completion is asked for, and the other way round. */
export interface SimulatedEmbeddings {
	readonly kind: "embeddings";
	/** `none` reports nothing. */
	readonly usage?: "none";
	/** The last comes first. */
	readonly isShuffled?: boolean;
	/** Sent instead of those of the words. */
	readonly vectors?: readonly (readonly number[])[];
	/** Before the headers. */
	readonly delayMs?: number;
}

export interface SimulatedToolCall {
	readonly id?: string;
	readonly name: string;
	/** JSON text, or a value to be written as such. */
	readonly arguments: unknown;
}

export interface SimulatedUsage {
	readonly inputTokens: number;
	readonly outputTokens: number;
	readonly cachedTokens?: number;
}

export interface StreamFault {
	/**
	 * `cut`: the connection breaks in the middle of an event; `stall`: nothing more comes; `end`: the body ends, without
	 * `[DONE]`; `error`: an event with an error object, in this 200 answer.
	 */
	readonly kind: "cut" | "stall" | "end" | "error";
	/** How many chunks come before it. Default all of them: only `[DONE]` is missing. */
	readonly after?: number;
}

/** An error answer; the body is the vendor's error object unless another is given. */
export interface SimulatedFailure {
	readonly kind: "failure";
	readonly status: number;
	readonly headers?: Readonly<Record<string, string>>;
	readonly message?: string;
	readonly type?: string;
	readonly code?: string | null;
	readonly param?: string | null;
	readonly body?: string;
}

/** What is done where nothing is queued. */
export type DefaultBehaviour = (body: Fields) => Behaviour;
