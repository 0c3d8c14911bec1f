import type { ChatReply, ChatRequest, ReceiptRow, Stage, TokenUsage } from "@stemma/core";
import type { ResolvedModel } from "@stemma/engine";

/** A call to a model that was made, whether it was answered or not. */
export interface CompletedCall {
	readonly resolved: ResolvedModel;
	readonly request: ChatRequest;
	readonly stage: Stage;
	/** Left out where the call failed or was given up. */
	readonly reply?: ChatReply | undefined;
	/** Characters that came in, where there is no reply. */
	readonly receivedCharacters: number;
	/** Usage that was reported for a call that has no reply. */
	readonly usage?: TokenUsage | undefined;
	/** Number of attempts of a call that has no reply. */
	readonly attempts?: number | undefined;
	readonly ms: number;
}

/** Writes the row of a call: what the vendor reported, else an estimate that is marked as one. */
export function toReceiptRow({
	resolved,
	request,
	stage,
	reply,
	receivedCharacters,
	usage = reply?.usage,
	attempts = 1,
	ms,
}: CompletedCall): ReceiptRow {
	const { model, payer, reason } = resolved;
	const { origin } = request;
	const row: ReceiptRow = {
		stage,
		...(origin === undefined ? {} : { node: origin.node }),
		payer,
		provider: model.provider,
		vendor_host: model.vendorHost,
		model: model.model,
		...toTokens(usage, request, reply?.text.length ?? receivedCharacters),
		ms: Math.round(ms),
		attempts: reply?.attempts ?? attempts,
		reason,
	};
	return usage === undefined ? { ...row, estimated: true } : row;
}

function toTokens(
	usage: TokenUsage | undefined,
	request: ChatRequest,
	receivedCharacters: number,
): Pick<ReceiptRow, "input_tokens" | "output_tokens" | "cached_tokens"> {
	if (usage === undefined)
		return { input_tokens: estimateInputTokens(request), output_tokens: estimateTokens(receivedCharacters) };
	const { inputTokens, outputTokens, cachedTokens } = usage;
	return {
		input_tokens: inputTokens,
		output_tokens: outputTokens,
		...(cachedTokens === undefined ? {} : { cached_tokens: cachedTokens }),
	};
}

/** Estimates the tokens of a text: about four characters each in English, fewer in other languages. */
export const estimateTokens = (characters: number): number => Math.ceil(characters / 4);

/** Estimates the input tokens that a request will be charged for, before they are counted. */
export function estimateInputTokens({ system = "", messages, tools = [] }: ChatRequest): number {
	let characters = system.length;
	for (const message of messages) {
		characters += message.content.length;
		if (message.role === "assistant")
			for (const call of message.toolCalls ?? []) characters += call.arguments.length;
	}
	for (const tool of tools) characters += JSON.stringify(tool).length;
	return estimateTokens(characters);
}
