import type { InvocationMode, Json, JsonSchema, NodeKind, Payer, ReceiptRow, Stage } from "@stemma/core";

/** OpenAI's request, as far as the service reads it. */
export interface ChatCompletionRequest {
	/** `default` for what is configured. */
	readonly model: string;
	readonly messages: readonly ChatCompletionMessage[];
	readonly tools?: readonly ChatCompletionTool[];
	readonly tool_choice?: ChatCompletionToolChoice;
	/** `false`: at most one call in a reply. */
	readonly parallel_tool_calls?: boolean;
	readonly response_format?: ChatCompletionFormat;
	readonly temperature?: number;
	readonly top_p?: number;
	readonly seed?: number;
	/** The reply ends before the first of these texts. */
	readonly stop?: string | readonly string[];
	readonly frequency_penalty?: number;
	readonly presence_penalty?: number;
	/** Bias by token id. */
	readonly logit_bias?: Readonly<Record<string, number>>;
	/** Reasoning effort, as the vendor names it: `low`. */
	readonly reasoning_effort?: string;
	/** Verbosity, as the vendor names it: `high`. */
	readonly verbosity?: string;
	readonly max_tokens?: number;
	readonly stream_options?: { readonly include_usage: boolean };
	/** Fields that Stemma's own callers add. */
	readonly stemma?: ChatCompletionContext;
}

/** Choice of the tools that the model may or must call: any, none, at least one, or this one. Default `auto`. */
export type ChatCompletionToolChoice =
	| "auto"
	| "none"
	| "required"
	| { readonly type: "function"; readonly function: { readonly name: string } };

/** The form of the reply's text. Default `text`. */
export type ChatCompletionFormat =
	| { readonly type: "text" | "json_object" }
	| {
			readonly type: "json_schema";
			readonly json_schema: {
				readonly name: string;
				readonly description?: string;
				readonly schema: JsonSchema;
				/** True where every reply must fit the schema. */
				readonly strict?: boolean;
			};
	  };

/** Caller context, for the choice of the model and for the receipt. */
export interface ChatCompletionContext {
	/** Provider that replaces the configured one. */
	readonly provider?: string;
	readonly run_id?: string;
	readonly node?: string;
	readonly stage?: Stage;
	/** Call depth of the invocation that asks. */
	readonly depth?: number;
	readonly mode?: InvocationMode;
	/** Kind of node behind each tool, by tool name. */
	readonly tool_kinds?: Readonly<Record<string, NodeKind | "handoff">>;
	/** All knowledge bases that the run reaches: they have a say in the model. */
	readonly knowledge_base_ids?: readonly string[];
}

export type ChatCompletionMessage =
	| { readonly role: "system"; readonly content: string }
	| { readonly role: "user"; readonly content: string; readonly name?: string }
	| {
			readonly role: "assistant";
			readonly content: string | null;
			/**
			 * Name of the speaker among several agents; refused with `unsupported_parameter` where the model takes no
			 * names.
			 */
			readonly name?: string;
			readonly tool_calls?: readonly ChatCompletionToolCall[];
	  }
	| { readonly role: "tool"; readonly tool_call_id: string; readonly content: string };

export interface ChatCompletionTool {
	readonly type: "function";
	readonly function: {
		readonly name: string;
		readonly description?: string;
		readonly parameters: JsonSchema;
		/** True where the arguments of every call must fit `parameters`. */
		readonly strict?: boolean;
	};
}

export interface ChatCompletionToolCall {
	readonly id: string;
	readonly type: "function";
	readonly function: { readonly name: string; readonly arguments: string };
	/** Opaque data that the vendor behind the service needs back with the call. */
	readonly extra_content?: { readonly stemma: Json };
}

export interface ChatCompletionUsage {
	readonly prompt_tokens: number;
	readonly completion_tokens: number;
	readonly total_tokens?: number;
	readonly prompt_tokens_details?: { readonly cached_tokens?: number } | null;
}

/** The whole reply. */
export interface ChatCompletion {
	readonly id: string;
	readonly object: "chat.completion";
	readonly created: number;
	readonly model: string;
	readonly choices: readonly {
		readonly index: number;
		readonly message: {
			readonly role: "assistant";
			readonly content: string | null;
			/** Reasoning of the model, where the vendor shows it and the caller may see it. */
			readonly reasoning_content?: string;
			readonly tool_calls?: readonly ChatCompletionToolCall[];
		};
		readonly finish_reason: string | null;
	}[];
	readonly usage?: ChatCompletionUsage | null;
	readonly stemma?: { readonly receipt: readonly ReceiptRow[] };
}

/** One piece of a streamed reply. */
export interface ChatCompletionChunk {
	readonly id: string;
	readonly object: "chat.completion.chunk";
	readonly created: number;
	readonly model: string;
	readonly choices: readonly {
		readonly index: number;
		readonly delta: {
			readonly content?: string | null;
			/** Reasoning of the model, where the vendor shows it and the caller may see it. */
			readonly reasoning_content?: string | null;
			readonly tool_calls?: readonly {
				readonly index: number;
				readonly id?: string;
				readonly function?: { readonly name?: string; readonly arguments?: string };
				readonly extra_content?: { readonly stemma: Json };
			}[];
		};
		readonly finish_reason?: string | null;
	}[];
	readonly usage?: ChatCompletionUsage | null;
	/** Receipt, in the last chunk. */
	readonly stemma?: { readonly receipt: readonly ReceiptRow[] };
}

/**
 * Models that `chat/completions` takes; the first is what `default` means. Agents and knowledge bases that answer as models come
 * last.
 */
export interface ModelList {
	readonly object: "list";
	readonly data: readonly ListedModel[];
}

export interface ListedModel {
	readonly id: string;
	readonly object: "model";
	readonly created: number;
	readonly owned_by: string;
	readonly stemma: ListedModelSource | ListedAnswerSource;
}

/** Model behind a listed id. */
export interface ListedModelSource {
	readonly kind: "model";
	/** Model, as its endpoint names it; given for the id `default` as well, which refers to one. */
	readonly model: string;
	/** The API format. */
	readonly provider: string;
	/** Empty for what is built in. */
	readonly vendor_host: string;
	readonly payer: Payer;
	/** Reason for this payer, as a sentence. */
	readonly reason: string;
}

/** Agent or knowledge base behind a listed id: `agent:<slug>`, `kb:<slug>`. */
export interface ListedAnswerSource {
	readonly kind: "agent" | "knowledge_base";
	readonly id: string;
	readonly name: string | null;
}
