import type { ParsedDocument } from "../document-part";
import { openOdf } from "../office/odf/open-odf";
import { createTextExtraction } from "../text-extraction";
import type { XmlElement, XmlNode } from "../xml/xml-element";
import { isXmlNode, listChildren, readXmlParts } from "../xml/xml-tree";
import { kindOfText } from "./cell-kind";
import { type CellCounter, type CellKind, createCellCounter, type GridCell } from "./grid";
import { type CellRange, coverMergedCells } from "./merged-cells";
import { type SheetComment, writeSheet } from "./write-sheet";

/** Reads a spreadsheet of OpenDocument: the cells of each visible sheet as they are shown, and their comments. */
export async function readOds(bytes: Uint8Array): Promise<ParsedDocument> {
	const zip = await openOdf(bytes);
	const extraction = createTextExtraction();
	readSheets(await zip.get("content.xml"), ({ name, rows, merged, comments }) =>
		writeSheet(extraction, { name, rows: coverMergedCells(rows, merged), comments }),
	);
	return extraction.finish();
}

interface OdsSheet {
	readonly name: string;
	readonly rows: GridCell[][];
	readonly merged: CellRange[];
	readonly comments: SheetComment[];
}

const CELL_NAMES = ["table:table-cell", "table:covered-table-cell"];

/** Reads the content of a spreadsheet, sheet by sheet. */
function readSheets(bytes: Uint8Array, onSheet: (sheet: OdsSheet) => void): void {
	const count = createCellCounter();
	const hiddenStyles = new Set<string | undefined>();
	let style: string | undefined;
	let sheet: OdsSheet | undefined;
	let row = 1;
	readXmlParts(bytes, {
		// Changes that are no longer there are parts, too, so that their rows are not of the sheet.
		isPart: ({ name }) => name === "table:table-row" || name === "table:tracked-changes",
		onPart(node) {
			if (sheet === undefined || node.name !== "table:table-row") return;
			row += readRow(node, { row, sheet, count });
		},
		open({ name, attributes }: XmlElement) {
			if (name === "style:style") style = attributes["style:name"];
			if (name === "style:table-properties" && attributes["table:display"] === "false")
				hiddenStyles.add(style);
			if (name !== "table:table" || hiddenStyles.has(attributes["table:style-name"])) return;
			sheet = { name: attributes["table:name"] ?? "", rows: [], merged: [], comments: [] };
			row = 1;
		},
		close(name) {
			if (name !== "table:table" || sheet === undefined) return;
			onSheet(sheet);
			sheet = undefined;
		},
	});
}

interface RowContext {
	readonly row: number;
	readonly sheet: OdsSheet;
	readonly count: CellCounter;
}

/** Adds the cells of a row as often as it is repeated. @returns the number of rows. */
function readRow(node: XmlNode, { row, sheet, count }: RowContext): number {
	const repeated = toCount(node.attributes["table:number-rows-repeated"]);
	const cells: GridCell[] = [];
	let column = 1;
	for (const cell of node.children.filter(isXmlNode).filter(({ name }) => CELL_NAMES.includes(name))) {
		const columns = toCount(cell.attributes["table:number-columns-repeated"]);
		addComment(sheet, cell, { row, column });
		addMerged(sheet, cell, { row, column });
		const shown = showCell(cell);
		for (let at = 0; at < columns && shown.text.trim() !== ""; at++) {
			count(shown.text);
			cells.push({ row, column: column + at, ...shown });
		}
		column += columns;
	}
	if (cells.length === 0) return repeated;
	sheet.rows.push(cells);
	for (let at = 1; at < repeated; at++) {
		for (const { text } of cells) count(text);
		sheet.rows.push(cells.map((cell) => ({ ...cell, row: row + at })));
	}
	return repeated;
}

const toCount = (value: string | undefined): number => Math.max(1, Math.trunc(Number(value)) || 1);

/** Kind by the type of a cell's value. Others are texts. */
const KINDS: Readonly<Record<string, CellKind | undefined>> = {
	float: "number",
	currency: "number",
	percentage: "number",
	date: "date",
	time: "date",
	boolean: "other",
};

/** Text of a cell as it is shown, and which is in the file for that. */
function showCell(cell: XmlNode): Pick<GridCell, "text" | "kind"> {
	const text = toText(cell);
	return { text, kind: KINDS[cell.attributes["office:value-type"] ?? ""] ?? kindOfText(text) };
}

/** Paragraphs of a cell or a comment. */
const toText = (node: XmlNode): string => listChildren(node, "text:p").map(toLine).join("\n");

/** Text of a paragraph, whose repeated blanks, tabs and line ends are elements. */
const toLine = (node: XmlNode): string =>
	node.children
		.map((child) => {
			if (!isXmlNode(child)) return child;
			if (child.name === "text:s" || child.name === "text:tab") return " ";
			return child.name === "text:line-break" ? "\n" : toLine(child);
		})
		.join("");

function addComment({ comments }: OdsSheet, cell: XmlNode, position: CellRange["from"]): void {
	for (const annotation of listChildren(cell, "office:annotation"))
		comments.push({ ...position, text: toText(annotation) });
}

function addMerged({ merged }: OdsSheet, { attributes }: XmlNode, from: CellRange["from"]): void {
	const rows = toCount(attributes["table:number-rows-spanned"]);
	const columns = toCount(attributes["table:number-columns-spanned"]);
	if (rows === 1 && columns === 1) return;
	merged.push({ from, to: { row: from.row + rows - 1, column: from.column + columns - 1 } });
}
