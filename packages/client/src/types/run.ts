import type { Conversation, Json, JsonObject, RunEvent, RunResult, RunStatus } from "@stemma/core";
import type { Regeneration, ThreadPlace, ThreadReference } from "./thread";

/** Input of a run. */
export interface RunInput {
	/**
	 * Text, JSON, or a conversation: `{messages: [{role, content}]}` with the roles `user` and `assistant`, whose content is
	 * text or text parts. Other roles and parts are refused with `invalid_request`, which names them.
	 */
	readonly input: Json | Conversation;
	/** Fills `{{context.path}}` in instructions. */
	readonly context?: JsonObject;
}

/** Input of a run that may answer a message of a thread: with `thread_id`, the input is the text of that message. */
export interface ThreadRunInput extends RunInput, ThreadPlace {}

/** Input of a run that answers a message of a thread again. */
export interface RunRegeneration extends Regeneration, Pick<RunInput, "context"> {}

/** Input of a run of an agent that the service keeps. */
export type AgentRunInput = ThreadRunInput | RunRegeneration;

/** Body of a request that starts a run. */
export interface RunRequest extends ThreadRunInput {
	/** The run goes on when nobody watches it; answers at once, with 202. */
	readonly background?: boolean;
}

/** Decision of a person on one of the `approvals` of a run that waits. */
export interface ApprovalDecisionRequest {
	readonly decision: "approve" | "deny";
	/** Reason for a denial, which is passed to the model that made the call. At most 1,000 characters. */
	readonly reason?: string;
}

/** A run that the service keeps. */
export interface RunRecord extends ThreadReference {
	/** `run_…` */
	readonly id: string;
	/** Id of the run, equal to `id`, under the name that results, events, streams and handles use. */
	readonly run_id: string;
	readonly agent_id: string;
	readonly agent_slug: string;
	readonly agent_version: number;
	readonly status: "running" | RunStatus;
	readonly background: boolean;
	/** `usr_…` of the person that started it; left out for clients and client keys. */
	readonly user_id?: string;
	readonly created_at: string;
	readonly ended_at: string | null;
	/** Sequence number of the last event so far. */
	readonly last_seq: number;
	/**
	 * Input of the run; not in lists. For those who started it, and for server clients with the scope `agents:trace`.
	 * Runtimes keep none.
	 */
	readonly input?: Json;
	/** Context of the run; available as `input` is. */
	readonly context?: JsonObject;
	/** Result, once the run has ended or paused; not in lists. */
	readonly result?: RunResult;
}

/** A run that was started; the token lets a client key read, rejoin and cancel it. */
export interface StartedRun extends RunRecord {
	/** Shown once. */
	readonly run_token: string;
}

/**
 * Events as the wire has them: `at` is RFC 3339. Those of client keys made with `expose: "answer"` have gaps in their
 * `seq`. Kinds that only a newer service knows may come, too.
 */
export type WireRunEvent = RunEvent extends infer Event
	? Event extends { readonly type: "run.started" }
		? SerializedEvent<Event> & { readonly run_token?: string } & ThreadReference
		: SerializedEvent<Event>
	: never;

type SerializedEvent<Event> = Omit<Event, "at"> & { readonly at: string };

/** One long poll of a run's events. */
export interface EventPage {
	readonly data: readonly WireRunEvent[];
	/** The run has ended or paused, and these are its last events. */
	readonly done: boolean;
}
