import type { ReceiptRow } from "@stemma/core";
import { clock } from "@stemma/core/internal";

/** Call to an A2A agent, which becomes one row of the receipt. */
export interface A2aCall {
	readonly url: string;
	/** Name that the agent gives itself, if known. */
	readonly name: string | undefined;
	/** Epoch milliseconds. */
	readonly startedAt: number;
}

/** Builds the receipt row for a call to another party's agent: only that it was made. Its tokens are not known. */
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
