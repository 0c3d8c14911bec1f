import type { ChatEvent, ChatReply, ChatRequest, ReceiptRow } from "@stemma/core";
import type { ResolvedModel } from "@stemma/engine";

/** Fields of a receipt that name a model, and its payer. */
export type ModelAccount = Pick<ReceiptRow, "payer" | "reason" | "provider" | "model" | "vendor_host">;

export const toAccount = ({ model, payer, reason }: ResolvedModel): ModelAccount => ({
	payer,
	reason,
	provider: model.provider,
	model: model.model,
	vendor_host: model.vendorHost,
});

/**
 * Adds the row of the receipt to a reply, where another model gave it than the one that the run was started with: models were
 * resolved again after a restart, and the settings have changed.
 */
export function nameModel(
	event: Extract<ChatEvent, { type: "finish" }>,
	request: ChatRequest,
	resolved: ResolvedModel,
	stored: ModelAccount,
	ms: number,
): ChatEvent {
	const account = toAccount(resolved);
	const isStored = JSON.stringify(account) === JSON.stringify(toAccountOrder(stored));
	if (isStored || event.reply?.receipt !== undefined) return event;
	return { ...event, reply: { ...event.reply, receipt: toRow(account, request, event.reply, ms) } };
}

/** The database may have its fields in another order. */
const toAccountOrder = ({ payer, reason, provider, model, vendor_host }: ModelAccount): ModelAccount => ({
	payer,
	reason,
	provider,
	model,
	vendor_host,
});

function toRow(
	account: ModelAccount,
	{ messages, origin }: ChatRequest,
	reply: ChatReply,
	ms: number,
): ReceiptRow {
	const { usage, text = "", attempts = 1 } = reply ?? {};
	return {
		stage: "answer",
		...(origin === undefined ? {} : { node: origin.node }),
		...account,
		input_tokens: usage?.inputTokens ?? estimateTokens(JSON.stringify(messages)),
		output_tokens: usage?.outputTokens ?? estimateTokens(text),
		ms,
		attempts,
		...(usage === undefined ? { estimated: true } : {}),
	};
}

/** Estimates tokens as the engine does: four characters are one. */
const estimateTokens = ({ length }: string): number => Math.ceil(length / 4);
