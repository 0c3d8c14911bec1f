import { type ReceiptRow, sumCosts } from "@stemma/core";
import { sanitizeText, style, type Terminal } from "../terminal";
import { count } from "../text/count";
import { formatTable } from "../text/table";
import { describePayer } from "./describe-payer";
import { formatCosts } from "./format-cost";

/** Every model call: which node, which model, tokens, time, who pays, and why. Nothing where none was made. */
export function renderReceipt(receipt: readonly ReceiptRow[], { stdout }: Pick<Terminal, "stdout">): string {
	if (receipt.length === 0) return "";
	const reasons = [...new Set(receipt.map(({ reason }) => reason))];
	return [
		`\n${style(stdout, "bold", "Receipt")}\n`,
		formatTable(receipt.map(hasCosts(receipt) ? toPricedCells : toCells)),
		describeCosts(receipt),
		...reasons.map((reason) => `  ${style(stdout, "dim", sanitizeText(reason))}\n`),
	].join("");
}

/** Checks whether any call has a price: where none has, nothing is said about money. */
const hasCosts = (receipt: readonly ReceiptRow[]): boolean => receipt.some(({ cost }) => cost !== undefined);

const toPricedCells = (row: ReceiptRow): string[] => [...toCells(row), describeCost(row)];

function describeCost({ cost, payer, estimated }: ReceiptRow): string {
	if (cost === undefined) return payer === "none" ? "" : "no price";
	return `${estimated === true ? "about " : ""}${formatCosts([cost])}`;
}

/** Sum of the costs, with the calls that are not in it. */
function describeCosts(receipt: readonly ReceiptRow[]): string {
	if (!hasCosts(receipt)) return "";
	const sum = formatCosts(sumCosts(receipt.flatMap(({ cost }) => cost ?? [])));
	const unpriced = receipt.filter(({ cost, payer }) => cost === undefined && payer !== "none").length;
	const about = receipt.some(({ cost, estimated }) => cost !== undefined && estimated === true);
	const without =
		unpriced === 0
			? ""
			: `, without ${count(unpriced, "call")} that ${unpriced === 1 ? "has" : "have"} no price`;
	return `  ${about ? "about " : ""}${sum} in all at the prices of then${without}\n`;
}

const toCells = (row: ReceiptRow): string[] => [
	row.stage,
	row.node ?? "",
	row.model,
	`${row.estimated === true ? "about " : ""}${row.input_tokens} tokens in, ${row.output_tokens} out`,
	`${row.ms} ms`,
	describePayer(row.payer),
];
