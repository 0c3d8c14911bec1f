/**
 * A language model of the AI SDK, as much of it as is used: `LanguageModelV2` (AI SDK 5), `LanguageModelV3` (6) and
 * `LanguageModelV4` (7) of `@ai-sdk/provider` fit.
 */
export interface AiSdkModel {
	readonly specificationVersion: "v2" | "v3" | "v4";
	/** Provider's name in the AI SDK: `openai.chat`, `anthropic.messages`. */
	readonly provider: string;
	readonly modelId: string;
	doGenerate(options: AiSdkCallOptions): PromiseLike<object>;
	doStream(options: AiSdkCallOptions): PromiseLike<{ readonly stream: ReadableStream<unknown> }>;
}

/** Options that a model is called with: the part of `LanguageModelV4CallOptions` that the older versions have too. */
export interface AiSdkCallOptions {
	readonly prompt: readonly object[];
	readonly tools?: readonly object[];
	readonly toolChoice?: { readonly type: string; readonly toolName?: string };
	readonly responseFormat?: {
		readonly type: string;
		readonly name?: string;
		readonly description?: string;
		readonly schema?: object;
	};
	readonly temperature?: number;
	readonly topP?: number;
	readonly seed?: number;
	readonly stopSequences?: string[];
	readonly frequencyPenalty?: number;
	readonly presencePenalty?: number;
	readonly maxOutputTokens?: number;
	readonly abortSignal?: AbortSignal;
}
