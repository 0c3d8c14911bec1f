import type { Json, RunRecord } from "@stemma/client";
import type { Citation, ReceiptRow } from "@stemma/core";
import { formatOpen } from "../approvals/demand-approval";
import { columnsOf, fence, toLine, toRows } from "./fit-pieces";
import { renderReceipt } from "./render-receipt";
import { renderSources } from "./render-sources";
import { style, type Terminal } from "./terminal";
import { toTextPieces } from "./visible-text";

/**
 * How a run of a service stands, below its head: what it waits for, its input and context, its error, output, sources and receipt. What models,
 * tools and documents say stands behind bars or in one short line, so that none of it looks like another section.
 */
export function renderRunRecord(
	{ id, input, context, result }: RunRecord,
	{ stdout }: Pick<Terminal, "stdout">,
	{ isWhole }: { readonly isWhole: boolean },
): string {
	const columns = columnsOf(stdout);
	const section = (title: string, text: string): string => `\n${style(stdout, "bold", title)}\n${text}`;
	const given = [
		input === undefined ? "" : section("Input", fence(toText(input), columns)),
		Object.keys(context ?? {}).length === 0
			? ""
			: section("Context", fence(toText(context ?? null), columns)),
	].join("");
	if (result === undefined) return given;
	const { output, error, citations, receipt, approvals = [] } = result;
	const shape = { decision: "approve", runId: id, columns, isWhole } as const;
	const waits = approvals.map((approval) => formatOpen(approval, shape)).join("");
	return [
		waits === "" ? "" : section(`Waits for ${approvals.length === 1 ? "an approval" : "approvals"}`, waits),
		given,
		error === undefined ? "" : section("Error", fence(`${error.code}: ${error.message}`, columns)),
		output === null ? "" : section("Output", fence(toText(output), columns)),
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
		title: toLine(citation.title, CELL_COLUMNS),
		place: { ...place, ...(heading === undefined ? {} : { heading: toLine(heading, CELL_COLUMNS) }) },
	};
};

/** Its reason may be longer than a row: what follows stands behind a bar. */
const toShortRow = (row: ReceiptRow, columns: number): ReceiptRow => ({
	...row,
	model: toLine(row.model, CELL_COLUMNS),
	...(row.node === undefined ? {} : { node: toLine(row.node, CELL_COLUMNS) }),
	reason: toRows(toTextPieces(row.reason), { columns: columns - 2, prefix: "  │ " }).join("\n"),
});
