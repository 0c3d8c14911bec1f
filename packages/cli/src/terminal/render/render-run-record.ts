import type { Json, RunRecord } from "@stemma/client";
import type { Citation, ReceiptRow } from "@stemma/core";
import { formatOpenApproval } from "../../approvals/select-approval";
import { style, type Terminal } from "../terminal";
import { toTextPieces } from "../text/escape-invisible";
import { getColumns, quoteBlock, toRows, truncateLine } from "../text/wrap-columns";
import { renderReceipt } from "./render-receipt";
import { renderSources } from "./render-sources";

/**
 * Renders the record of a run of a service, below its head: its open approvals, input and context, error, output,
 * sources and receipt. Text of models, tools and documents is put behind bars or in one short line, so that none of it
 * looks like another section.
 */
export function renderRunRecord(
	{ id, input, context, result }: RunRecord,
	{ stdout }: Pick<Terminal, "stdout">,
	{ isFull }: { readonly isFull: boolean },
): string {
	const columns = getColumns(stdout);
	const section = (title: string, text: string): string => `\n${style(stdout, "bold", title)}\n${text}`;
	const inputSections = [
		input === undefined ? "" : section("Input", quoteBlock(toText(input), columns)),
		Object.keys(context ?? {}).length === 0
			? ""
			: section("Context", quoteBlock(toText(context ?? null), columns)),
	].join("");
	if (result === undefined) return inputSections;
	const { output, error, citations, receipt, approvals = [] } = result;
	const shape = { decision: "approve", runId: id, columns, isFull } as const;
	const openApprovals = approvals.map((approval) => formatOpenApproval(approval, shape)).join("");
	return [
		openApprovals === ""
			? ""
			: section(`Waits for ${approvals.length === 1 ? "an approval" : "approvals"}`, openApprovals),
		inputSections,
		error === undefined ? "" : section("Error", quoteBlock(`${error.code}: ${error.message}`, columns)),
		output === null ? "" : section("Output", quoteBlock(toText(output), columns)),
		renderSources(citations.map(toShortCitation), () => undefined, { stdout }),
		renderReceipt(
			receipt.map((row) => toShortRow(row, columns)),
			{ stdout },
		),
	].join("");
}

const toText = (output: Json): string =>
	typeof output === "string" ? output : JSON.stringify(output, null, 2);

const CELL_COLUMNS = 34;

const toShortCitation = (citation: Citation): Citation => {
	const { heading, ...place } = citation.place;
	return {
		...citation,
		title: truncateLine(citation.title, CELL_COLUMNS),
		...(citation.source ? { source: truncateLine(citation.source, CELL_COLUMNS) } : {}),
		place: { ...place, ...(heading === undefined ? {} : { heading: truncateLine(heading, CELL_COLUMNS) }) },
	};
};

/** Shortens the cells of a row. The reason may be longer than a row; its further lines are put behind a bar. */
const toShortRow = (row: ReceiptRow, columns: number): ReceiptRow => ({
	...row,
	model: truncateLine(row.model, CELL_COLUMNS),
	...(row.node === undefined ? {} : { node: truncateLine(row.node, CELL_COLUMNS) }),
	reason: toRows(toTextPieces(row.reason), { columns: columns - 2, prefix: "  │ " }).join("\n"),
});
