import type { RawResponse, Silence } from "../raw-response.ts";
import type { ConverseRequest } from "./converse-request.ts";

/** What the simulator does with a request that it took. */
export type Behaviour = SimulatedReply | SimulatedFailure | RawResponse | Silence;

/** A message of the model: as one body by Converse, as events by ConverseStream. */
export interface SimulatedReply {
	readonly kind: "reply";
	readonly text?: string;
	/** Comes before the text. A string is its text alone, as of models that do not sign what they thought. */
	readonly reasoning?: string | SimulatedReasoning;
	readonly toolCalls?: readonly SimulatedToolCall[];
	/** Default `tool_use` with calls, else `end_turn`. */
	readonly stopReason?: string;
	/** Default: counted from the lengths. `none` reports nothing: a stream then ends without its `metadata`. */
	readonly usage?: SimulatedUsage | "none";
	/** Sent besides the usual headers or in place of them, `content-type` for example. */
	readonly headers?: Readonly<Record<string, string>>;
	/** Before the headers. */
	readonly delayMs?: number;
	/** Of a stream: between the headers and the first event. */
	readonly firstEventMs?: number;
	/** Of a stream: after each event. */
	readonly pauseMs?: number;
	/** Of a stream: how many characters of text or JSON a delta carries. Default 7. */
	readonly pieceLength?: number;
	/** Of a stream: it is sent in chunks of so many bytes, whatever the events' bounds. Default: an event a chunk. */
	readonly chunkBytes?: number;
	/** What goes wrong in a stream. */
	readonly fault?: StreamFault;
}

export interface SimulatedReasoning {
	readonly text?: string;
	readonly signature?: string;
	/** In base64: reasoning that the vendor keeps to itself. */
	readonly redactedContent?: string;
}

export interface SimulatedToolCall {
	/** Default: `tooluse_` and a counted id. */
	readonly id?: string;
	readonly name: string;
	/** A value, or JSON text that is streamed as it stands, also if it is broken. An empty object streams no JSON at all. */
	readonly input: unknown;
}

export interface SimulatedUsage {
	readonly inputTokens: number;
	readonly outputTokens: number;
	readonly cacheReadInputTokens?: number;
	readonly cacheWriteInputTokens?: number;
}

/** The errors that the vendor sends inside a stream, as events that end it. */
export type StreamException =
	| "internalServerException"
	| "modelStreamErrorException"
	| "validationException"
	| "throttlingException"
	| "serviceUnavailableException";

export type StreamFault = {
	/** How many events come before it. Default all of them, or all but the last where it spoils an event. */
	readonly after?: number;
} & (
	| {
			/**
			 * `end`: the body ends, between events. `stall`: nothing more comes. `cut`: the connection breaks in the middle of
			 * the next event. `truncate`: the body ends there, as if it were complete. `corrupt`: the checksum of the next
			 * event is wrong. `corrupt-prelude`: that of its lengths is. `skip`: the next event is left out, the rest comes.
			 */
			readonly kind: "end" | "stall" | "cut" | "truncate" | "corrupt" | "corrupt-prelude" | "skip";
	  }
	| {
			/** An exception as an event, in this 200 answer; it ends the body. */
			readonly kind: "exception";
			readonly exception: StreamException;
			readonly message?: string;
			/** `modelStreamErrorException` only. */
			readonly originalStatusCode?: number;
			readonly originalMessage?: string;
	  }
	| {
			/** A message of the type `error`, which has a code and a text in its headers; it ends the body. */
			readonly kind: "error";
			readonly code?: string;
			readonly message?: string;
	  }
	| {
			/** `giant`: a text delta of this size, then the rest. `claim`: the lengths of such an event, then nothing more. */
			readonly kind: "giant" | "claim";
			readonly bytes: number;
	  }
);

/** An error answer, with the vendor's headers and body unless others are given. */
export interface SimulatedFailure {
	readonly kind: "failure";
	readonly status: number;
	/** `ThrottlingException` and the like. Default: what the vendor sends with this status. */
	readonly type?: string;
	readonly message?: string;
	/** More members of the error, `originalStatusCode` for example. */
	readonly members?: Readonly<Record<string, unknown>>;
	/** The header `retry-after`: seconds, or a date. */
	readonly retryAfter?: number | string;
	readonly headers?: Readonly<Record<string, string>>;
	readonly body?: string;
}

/** What is done where nothing is queued. */
export type DefaultBehaviour = (body: ConverseRequest, request: SimulatedOperation) => Behaviour;

export interface SimulatedOperation {
	readonly name: "converse" | "converse-stream";
	/** Decoded. */
	readonly modelId: string;
}
