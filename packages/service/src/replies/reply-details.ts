import type { TokenUsage } from "@stemma/core";
import type { ResponderReply } from "./reply";

/** The field `stemma` of a response: who paid, and of agents and knowledge bases the run and its citations. */
export function toReplyDetails({ answer, receipt }: ResponderReply, canSeeReceipt: boolean): object {
	if (answer === undefined) return { receipt: canSeeReceipt && receipt !== undefined ? [receipt] : [] };
	return { receipt: answer.receipt, citations: answer.citations, ...answer.fields };
}

/** Tokens of a reply, as its receipt has them; `undefined` where it has none. */
export function countReplyTokens({ answer, receipt }: ResponderReply): TokenUsage | undefined {
	const counts = answer?.usage ?? receipt;
	if (counts === undefined) return undefined;
	const cachedTokens = receipt?.cached_tokens;
	return {
		inputTokens: counts.input_tokens,
		outputTokens: counts.output_tokens,
		...(cachedTokens !== undefined && { cachedTokens }),
	};
}
