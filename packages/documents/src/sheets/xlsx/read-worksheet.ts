import type { XmlNode } from "../../xml/xml-element";
import { findChild, listChildren, readXmlParts, textOf } from "../../xml/xml-tree";
import { kindOfText } from "../cell-kind";
import type { CellCounter, GridCell, GridRow } from "../grid";
import type { CellRange } from "../merged-cells";
import type { CellFormats } from "./cell-formats";
import { parseCellName, parseRangeName } from "./cell-name";
import { toPlainText } from "./rich-text";

/** Parts of a workbook that its sheets refer to. */
export interface WorksheetContext {
	readonly sharedStrings: readonly string[];
	readonly formats: CellFormats;
	readonly count: CellCounter;
}

export interface Worksheet {
	readonly rows: readonly GridRow[];
	readonly merged: readonly CellRange[];
}

/** Reads the filled cells of a sheet. */
export function readWorksheet(bytes: Uint8Array, context: WorksheetContext): Worksheet {
	const rows = new Map<number, GridCell[]>();
	const merged: CellRange[] = [];
	let last = 0;
	readXmlParts(bytes, {
		isPart: ({ name }) => name === "x:row" || name === "x:mergeCell",
		onPart(node) {
			const range = node.name === "x:mergeCell" && parseRangeName(node.attributes.ref ?? "");
			if (range) merged.push(range);
			if (node.name !== "x:row") return;
			last = Number(node.attributes.r ?? last + 1);
			const cells = readRow(node, last, context);
			if (cells.length > 0) rows.set(last, [...(rows.get(last) ?? []), ...cells]);
		},
	});
	// A file may have its rows and cells in any order, and more than once.
	const inOrder = [...rows].sort(([a], [b]) => a - b).map(([, cells]) => cells);
	return { rows: inOrder.map(toOrdered), merged };
}

const toOrdered = (cells: readonly GridCell[]): GridRow =>
	[...new Map(cells.map((cell) => [cell.column, cell])).values()].sort((a, b) => a.column - b.column);

function readRow(row: XmlNode, number: number, context: WorksheetContext): GridCell[] {
	const cells: GridCell[] = [];
	let column = 0;
	for (const node of listChildren(row, "x:c")) {
		column = parseCellName(node.attributes.r ?? "")?.column ?? column + 1;
		const shown = showCell(node, context);
		if (shown.text.trim() === "") continue;
		context.count(shown.text);
		const isBold = context.formats.isBold(toStyle(node));
		cells.push({ row: number, column, ...shown, ...(isBold && { isBold }) });
	}
	return cells;
}

/** Text of a cell as it is shown. A formula without a result is shown as it is written. */
function showCell(
	cell: XmlNode,
	{ sharedStrings, formats }: WorksheetContext,
): Pick<GridCell, "text" | "kind"> {
	const value = textOf(findChild(cell, "x:v"));
	const formula = textOf(findChild(cell, "x:f"));
	const { t: type = "n" } = cell.attributes;
	if (value === "" && type === "inlineStr") return toText(toPlainText(findChild(cell, "x:is")));
	if (value === "") return { text: formula && `=${formula}`, kind: "other" };
	if (type === "s") return toText(sharedStrings[Number(value)] ?? "");
	if (type === "b") return { text: value === "1" ? "TRUE" : "FALSE", kind: "other" };
	if (type === "e") return { text: value, kind: "other" };
	const isNumber = type === "n" && Number.isFinite(Number(value));
	return isNumber ? formats.show(Number(value), toStyle(cell)) : toText(value);
}

const toStyle = ({ attributes }: XmlNode): number => Number(attributes.s ?? 0);

const toText = (text: string): Pick<GridCell, "text" | "kind"> => ({ text, kind: kindOfText(text) });
