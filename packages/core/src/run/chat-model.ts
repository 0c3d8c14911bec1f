import type { NodeKind } from "../graph/agent-graph";
import type { Json, JsonSchema } from "../json";
import type { InvocationMode } from "./run-event";
import type { ReceiptRow } from "./run-result";
import type { TraceContext } from "./trace-context";

/**
 * The seam between what asks a model and what is asked: one object per provider format, endpoint and model. It throws
 * for anything that is not a reply (with `attempts` and `usage` on the error, as far as they are known), and stops its
 * upstream call as soon as `signal` aborts.
 */
export interface ChatModel {
	/** The API format: `openai-compatible`, `bedrock`, `extractive`. */
	readonly provider: string;
	/** The model as its endpoint names it. */
	readonly model: string;
	/** Host of the endpoint, for receipts; empty for what is built in. */
	readonly vendorHost: string;
	/** The whole reply at once. */
	generate(request: ChatRequest, options?: ChatCallOptions): Promise<ChatReply>;
	/** Deltas as they arrive, then exactly one `finish` with the whole reply. A stream without it was cut off. */
	stream(request: ChatRequest, options?: ChatCallOptions): AsyncIterable<ChatEvent>;
}

export interface ChatCallOptions {
	readonly signal?: AbortSignal | undefined;
	/** Sent along by models behind a service. Vendors are not sent it. */
	readonly traceContext?: TraceContext | undefined;
}

export interface ChatRequest {
	/** The system message: the operator's words alone. */
	readonly system?: string;
	/** The conversation so far. The list may grow once the call is answered: copy it to keep it. */
	readonly messages: readonly ChatMessage[];
	/** Tools that the model may call. Default: none. */
	readonly tools?: readonly ChatTool[];
	/** Choice of the tools that the model may or must call. Default `auto`. */
	readonly toolChoice?: ChatToolChoice;
	/** The reply's text must be JSON of this schema. */
	readonly outputSchema?: JsonSchema;
	/** The reply's text must be JSON: of `outputSchema`, or any object where there is none. Default: text, or `outputSchema`. */
	readonly output?: ChatOutput;
	/** A wish: left out, or lowered, where the model takes no such value. See `settings` for one that must be kept. */
	readonly temperature?: number;
	readonly maxOutputTokens?: number;
	/** Settings of the model's own, which must be kept. */
	readonly settings?: ChatSettings;
	/** Run and node that ask; recorded on receipts and traces. */
	readonly origin?: ChatOrigin;
}

/**
 * `none`: the tools are shown, for the conversation's sake, but may not be called. `required`: at least one call;
 * `{ name }`: calls of that tool. Models that have no such choice are told so in words: check their reply.
 */
export type ChatToolChoice = "auto" | "none" | "required" | { readonly name: string };

/** A JSON output, as vendors are told of it. */
export interface ChatOutput {
	/** Name of the schema. Default `output`. */
	readonly name?: string;
	readonly description?: string;
	/** Asks the vendor to hold the model to the schema. Default: where the schema allows it. Not every vendor does: check the reply. */
	readonly strict?: boolean;
}

/**
 * Settings of how a model writes. An adapter passes each setting on or fails with a `ProviderError` of the code
 * `unsupported_parameter`, whose `field` is the setting's name here; it leaves out and changes none.
 */
export interface ChatSettings {
	/** Sampling temperature; replaces the `temperature` of the request. */
	readonly temperature?: number;
	/** Nucleus sampling, 0 to 1. */
	readonly topP?: number;
	readonly seed?: number;
	/** The reply ends before the first of these texts. */
	readonly stop?: readonly string[];
	readonly frequencyPenalty?: number;
	readonly presencePenalty?: number;
	/** Bias of each token, by token id. */
	readonly logitBias?: Readonly<Record<string, number>>;
	/** Reasoning effort, in the vendor's own terms: `low`. */
	readonly reasoningEffort?: string;
	/** Verbosity, in the vendor's own terms: `high`. */
	readonly verbosity?: string;
	/** `false`: at most one call in a reply. */
	readonly parallelToolCalls?: boolean;
}

export interface ChatOrigin {
	readonly runId: string;
	readonly node: string;
	/** Number of the asking invocation in the run's events. */
	readonly invocation?: number;
	/** Depth of the asking invocation in calls; the coordinator's is 0. */
	readonly depth: number;
	/** The edge that led to the asking invocation, or the run's start. */
	readonly mode?: InvocationMode;
}

export type ChatMessage =
	| { readonly role: "user"; readonly content: string; readonly name?: string }
	| {
			readonly role: "assistant";
			readonly content: string;
			/**
			 * Name of the speaker, where there are several users or agents. A model that has no field for it fails with
			 * `unsupported_parameter`.
			 */
			readonly name?: string;
			readonly toolCalls?: readonly ChatToolCall[];
	  }
	| {
			readonly role: "tool";
			/** The call that this answers. */
			readonly callId: string;
			readonly name: string;
			readonly content: string;
			/** The call did not work; `content` says why. */
			readonly isError?: boolean;
	  };

/** Tool that a model may call: a tool, an agent or a handoff. */
export interface ChatTool {
	readonly name: string;
	readonly description?: string;
	/** JSON Schema of the arguments, an object. */
	readonly parameters: JsonSchema;
	/** Asks the vendor to hold the arguments to `parameters`. Default false. Not every vendor does: check the call. */
	readonly strict?: boolean;
	/** Kind of node behind the tool. Not sent to vendors; the built-in model reads it. */
	readonly kind?: NodeKind | "handoff";
}

export interface ChatToolCall {
	/** Unique in its reply. */
	readonly id: string;
	readonly name: string;
	/** JSON text as the model wrote it; it may be malformed. */
	readonly arguments: string;
	/**
	 * Data that the vendor needs back with the call in the next turn, such as a signature of its reasoning. Opaque:
	 * pass it on unchanged. Only models of the same `provider` read it.
	 */
	readonly providerMetadata?: Json;
}

/**
 * Reason why a reply ended. `length`: cut at the token limit, the text is kept; `filtered`: withheld by the vendor;
 * `other`: a reason that only that vendor has.
 */
export type FinishReason = "stop" | "tool_calls" | "length" | "filtered" | "other";

export interface ChatReply {
	readonly text: string;
	/** Reasoning of the model, where the vendor shows it. */
	readonly reasoning?: string;
	readonly toolCalls: readonly ChatToolCall[];
	readonly finishReason: FinishReason;
	/** Left out when the vendor did not report it; never zero for "unknown". */
	readonly usage?: TokenUsage;
	/** Number of attempts of the call. Default 1. */
	readonly attempts?: number;
	/** The row that whoever made the call wrote for it, where that was not this process. */
	readonly receipt?: ReceiptRow;
	/** Id of the vendor's response, where it gives one. */
	readonly responseId?: string;
	/** Name of the model that answered, where the vendor says it: often a version of the one that was asked. */
	readonly responseModel?: string;
}

export interface TokenUsage {
	readonly inputTokens: number;
	readonly outputTokens: number;
	/** The part of `inputTokens` that the vendor read from its cache. */
	readonly cachedTokens?: number;
}

export type ChatEvent =
	| { readonly type: "text.delta"; readonly text: string }
	| { readonly type: "reasoning.delta"; readonly text: string }
	| { readonly type: "finish"; readonly reply: ChatReply };
