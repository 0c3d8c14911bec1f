import type { ReceiptRow } from "@stemma/core";
import { clock } from "@stemma/core/internal";

/** Call to an A2A agent, which becomes one row of the receipt. */
export interface A2aCall {
	readonly url: string;
	/** What the agent calls itself, where that is known. */
	readonly name: string | undefined;
	/** Epoch milliseconds. */
	readonly startedAt: number;
}

/** What is known of a call to an agent of someone else: that it was made. Its tokens are not told. */
export const toReceiptRow = ({ url, name = "", startedAt }: A2aCall): ReceiptRow => ({
	stage: "answer",
	payer: "external",
	provider: "a2a",
	vendor_host: /^https?:\/\/([^/?#]*)/i.exec(url)?.[1] ?? "",
	model: name,
	input_tokens: 0,
	output_tokens: 0,
	estimated: true,
	ms: clock.now() - startedAt,
	attempts: 1,
	reason: "Another agent answered, on its own account.",
});
