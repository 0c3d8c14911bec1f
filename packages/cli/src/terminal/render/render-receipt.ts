import type { ReceiptRow } from "@stemma/core";
import { sanitizeText, style, type Terminal } from "../terminal";
import { formatTable } from "../text/table";
import { describePayer } from "./describe-payer";

/** Every model call: which node, which model, tokens, time, who pays, and why. Nothing where none was made. */
export function renderReceipt(receipt: readonly ReceiptRow[], { stdout }: Pick<Terminal, "stdout">): string {
	if (receipt.length === 0) return "";
	const reasons = [...new Set(receipt.map(({ reason }) => reason))];
	return [
		`\n${style(stdout, "bold", "Receipt")}\n`,
		formatTable(receipt.map(toCells)),
		...reasons.map((reason) => `  ${style(stdout, "dim", sanitizeText(reason))}\n`),
	].join("");
}

const toCells = (row: ReceiptRow): string[] => [
	row.stage,
	row.node ?? "",
	row.model,
	`${row.estimated === true ? "about " : ""}${row.input_tokens} tokens in, ${row.output_tokens} out`,
	`${row.ms} ms`,
	describePayer(row.payer),
];
