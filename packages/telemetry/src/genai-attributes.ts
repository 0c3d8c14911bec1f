import type { ChatModel, ChatReply, ChatRequest, Json, ReceiptRow, TokenUsage } from "@stemma/core";
import type { SpanAttributes } from "./span";

// Names and values: OpenTelemetry's semantic conventions for generative AI systems (client inference, client embeddings,
// retrievals, agent spans). What has no name there has one that begins with `stemma.`.

/** `gen_ai.provider.name` of spans that are no vendor's. */
export const STEMMA_PROVIDER = "stemma";

/** Vendors with a name in the conventions, by the ends of their hosts. Others speak the format of OpenAI. */
const VENDORS: readonly (readonly [host: string, name: string])[] = [
	[".openai.azure.com", "azure.ai.openai"],
	["generativelanguage.googleapis.com", "gcp.gemini"],
	["aiplatform.googleapis.com", "gcp.vertex_ai"],
	["anthropic.com", "anthropic"],
	["cohere.com", "cohere"],
	["cohere.ai", "cohere"],
	["deepseek.com", "deepseek"],
	["groq.com", "groq"],
	["mistral.ai", "mistral_ai"],
	["moonshot.ai", "moonshot_ai"],
	["perplexity.ai", "perplexity"],
	["x.ai", "x_ai"],
];

/** `gen_ai.provider.name` of an API format at a host. */
export function toProviderName(provider: string, vendorHost: string): string {
	if (provider === "bedrock") return "aws.bedrock";
	if (provider !== "openai-compatible") return provider;
	const { host } = splitHost(vendorHost);
	const vendor = VENDORS.find(
		([end]) => host === end || host.endsWith(end.startsWith(".") ? end : `.${end}`),
	);
	return vendor?.[1] ?? "openai";
}

/** `server.address` and `server.port` of a host, which names its port where that is not the one of HTTPS. */
export function toServerAttributes(vendorHost: string): SpanAttributes {
	if (vendorHost === "") return {};
	const { host, port } = splitHost(vendorHost);
	return { "server.address": host, "server.port": port };
}

const HTTPS_PORT = 443;

function splitHost(vendorHost: string): { readonly host: string; readonly port: number } {
	const [, host = vendorHost, port] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(vendorHost) ?? [];
	return {
		host: host.replace(/^\[(.*)\]$/, "$1"),
		port: port === undefined ? HTTPS_PORT : Number(port),
	};
}

/** Model that is called, and the payer of the call. */
export interface CalledModel extends Pick<ChatModel, "provider" | "model" | "vendorHost"> {
	readonly payer: string;
	readonly stage: string;
	/** Prompt of the service that the call has for instructions. */
	readonly prompt?: PromptVersion | undefined;
}

/** Name and version of instructions. */
export interface PromptVersion {
	readonly name: string;
	readonly version: number;
}

export type ModelOperation = "chat" | "embeddings" | "rerank";

export const nameModelSpan = (operation: ModelOperation, model: string): string =>
	model === "" ? operation : `${operation} ${model}`;

export const toModelAttributes = (
	operation: ModelOperation,
	{ provider, model, vendorHost, payer, stage, prompt }: CalledModel,
): SpanAttributes => ({
	"gen_ai.operation.name": operation,
	"gen_ai.provider.name": toProviderName(provider, vendorHost),
	"gen_ai.request.model": model === "" ? undefined : model,
	...toServerAttributes(vendorHost),
	"stemma.payer": payer,
	"stemma.stage": stage,
	"gen_ai.prompt.name": prompt && `stemma.${prompt.name}`,
	"stemma.prompt.version": prompt?.version,
});

export const toRequestAttributes = ({
	temperature,
	maxOutputTokens,
	outputSchema,
	origin,
}: ChatRequest): SpanAttributes => ({
	"gen_ai.request.temperature": temperature,
	"gen_ai.request.max_tokens": maxOutputTokens,
	"gen_ai.output.type": outputSchema === undefined ? undefined : "json",
	"stemma.node": origin?.node,
});

export const toUsageAttributes = ({
	inputTokens,
	outputTokens,
	cachedTokens,
}: TokenUsage): SpanAttributes => ({
	"gen_ai.usage.input_tokens": inputTokens,
	"gen_ai.usage.output_tokens": outputTokens,
	"gen_ai.usage.cache_read.input_tokens": cachedTokens,
});

/** Usage of the receipt's row where there is one: it is what was counted. */
export const readReplyUsage = ({
	receipt,
	usage,
}: Pick<ChatReply, "receipt" | "usage">): TokenUsage | undefined =>
	receipt === undefined ? usage : toUsage(receipt);

export const toUsage = ({ input_tokens, output_tokens, cached_tokens }: ReceiptRow): TokenUsage => ({
	inputTokens: input_tokens,
	outputTokens: output_tokens,
	...(cached_tokens === undefined ? {} : { cachedTokens: cached_tokens }),
});

export const toCalledModel = ({ provider, model, vendor_host, payer, stage }: ReceiptRow): CalledModel => ({
	provider,
	model,
	vendorHost: vendor_host,
	payer,
	stage,
});

export const toReplyAttributes = ({
	finishReason,
	responseId,
	responseModel,
	attempts = 1,
}: ChatReply): SpanAttributes => ({
	"gen_ai.response.id": responseId,
	"gen_ai.response.model": responseModel,
	"gen_ai.response.finish_reasons": [finishReason === "filtered" ? "content_filter" : finishReason],
	"stemma.attempts": attempts > 1 ? attempts : undefined,
});

/** A value as the one message of `gen_ai.input.messages` or `gen_ai.output.messages`. */
export const toMessages = (role: "user" | "assistant", value: Json): string =>
	JSON.stringify([
		{
			role,
			parts: [{ type: "text", content: typeof value === "string" ? value : JSON.stringify(value) }],
			...(role === "assistant" ? { finish_reason: "stop" } : {}),
		},
	]);
