import type { OriginalPlace } from "../original-place";
import type { ExtractedText, TextExtraction } from "../text-extraction";
import type { HeaderOptions } from "./find-header";
import { findTables, type TablePart } from "./find-tables";
import { type GridCell, type GridRow, listColumns, ownCells } from "./grid";

/** Maximum length of a row that is written as a line of a table. A longer one has a line for each of its cells. */
const MAX_ROW_CHARACTERS = 1_000;
/** Mean length of the rows, and length of the header, up to which a table is written in lines. */
const MAX_MEAN_ROW_CHARACTERS = 400;
const MAX_HEADER_CHARACTERS = 300;
/** Share of filled cells below which a table of many columns is written cell by cell. */
const MIN_FILLED_SHARE = 0.2;
const MIN_SPARSE_COLUMNS = 8;
/** Cells that each part of a long row begins with, where they are short. */
const LEAD_CELLS = 2;
const MAX_LEAD_CELL_CHARACTERS = 100;
/** Captions up to this length together are repeated with the header. */
const MAX_CAPTION_CHARACTERS = 160;

/**
 * Adds the texts of a sheet: narrow tables row by row (`A | B`), wide ones and long rows as `Column: value` lines.
 *
 * @param sheet - name for the places; left out for files of one table.
 */
export function writeTables(
	extraction: TextExtraction,
	rows: readonly GridRow[],
	{ sheet, ...options }: HeaderOptions & { readonly sheet?: string } = {},
): void {
	const toText = (cell: GridCell, text = cell.text): ExtractedText => ({ text, place: toPlace(cell, sheet) });
	for (const part of findTables(rows, options)) {
		if (part.kind === "table") writeTable(extraction, part, toText);
		else
			extraction.addBlock(
				part.rows.flatMap(ownCells).map((cell) => toText(cell)),
				{ separator: "\n" },
			);
	}
}

type ToText = (cell: GridCell, text?: string) => ExtractedText;

const toPlace = ({ row, column }: GridCell, sheet: string | undefined): OriginalPlace => ({
	kind: "cell",
	...(sheet !== undefined && { sheet }),
	row,
	column,
});

function writeTable(extraction: TextExtraction, { captions, header, body }: TablePart, toText: ToText): void {
	const columns = listColumns([...header, ...body]);
	const captionCells = captions.flatMap(ownCells).map((cell) => toText(cell));
	const isShort = captionCells.reduce((sum, { text }) => sum + text.length, 0) <= MAX_CAPTION_CHARACTERS;
	const names = toColumnNames(header);
	const isWide = isWideTable(header, body, columns.length);
	if (!isShort || isWide) extraction.addBlock(captionCells, { separator: "\n" });
	if (isWide)
		extraction.addBlock(
			listUnusedNames(header, body).map((cell) => toText(cell)),
			{ separator: ", " },
		);
	const lead = isShort ? captionCells.map((caption) => [caption]) : [];
	const headerLines = [...lead, ...header.map((row) => toLine(row, columns, toText))];
	for (const { isLong, rows } of groupByLength(body, isWide)) {
		if (isLong) for (const row of rows) writeRecord(extraction, row, names, toText);
		else
			extraction.addTable({
				header: headerLines,
				rows: toLines(rows, columns, toText),
			});
	}
}

/** Cells of the table's body: what a merged cell covers to the right stays empty, and rows below it repeat its text. */
const isShown = ({ covered }: GridCell): boolean => covered !== "across";

function* toLines(rows: readonly GridRow[], columns: readonly number[], toText: ToText) {
	for (const row of rows) yield toLine(row.filter(isShown), columns, toText);
}

/** Texts of a row in the columns of its table, up to its last cell. */
function toLine(row: GridRow, columns: readonly number[], toText: ToText): ExtractedText[] {
	const texts: ExtractedText[] = [];
	let at = 0;
	for (const cell of row) {
		for (; (columns[at] ?? cell.column) < cell.column; at++) texts.push({ text: "" });
		texts.push(toText(cell));
		at += 1;
	}
	return texts;
}

/** Writes a row as `Column: value` lines. A part of a long row begins with its first cells, which tell what it is of. */
function writeRecord(
	extraction: TextExtraction,
	row: GridRow,
	columnNames: ReadonlyMap<number, string>,
	toText: ToText,
): void {
	const pieces = row.filter(isShown).map((cell) => {
		const name = columnNames.get(cell.column);
		return toText(cell, name === undefined ? cell.text : `${name}: ${cell.text.trim()}`);
	});
	const names = pieces.slice(0, LEAD_CELLS).map(({ text }) => text.replace(/\s+/gu, " "));
	const lead = names.filter(isShortName).join("\n");
	extraction.addBlock(pieces, { separator: "\n", ...(lead !== "" && { lead }) });
}

const isShortName = (text: string): boolean => text.length <= MAX_LEAD_CELL_CHARACTERS;

/** Name of each column; of a header of several rows, those that differ from one another. */
function toColumnNames(header: readonly GridRow[]): Map<number, string> {
	const names = new Map<number, Set<string>>();
	for (const { column, text } of header.flat()) {
		const name = text.replace(/\s+/gu, " ").trim();
		if (name !== "") names.set(column, (names.get(column) ?? new Set()).add(name));
	}
	return new Map([...names].map(([column, parts]) => [column, [...parts].join(", ")]));
}

/** Header cells above nothing, which no `Column: value` line names. */
function listUnusedNames(header: readonly GridRow[], body: readonly GridRow[]): GridRow {
	const used = new Set(listColumns(body));
	return header.flat().filter(({ column, covered }) => !used.has(column) && covered === undefined);
}

function isWideTable(header: readonly GridRow[], body: readonly GridRow[], columnCount: number): boolean {
	const cellCount = body.reduce((sum, row) => sum + row.length, 0);
	const isSparse =
		columnCount >= MIN_SPARSE_COLUMNS && cellCount < columnCount * body.length * MIN_FILLED_SHARE;
	const length = body.reduce((sum, row) => sum + rowLength(row), 0);
	return (
		isSparse ||
		length > body.length * MAX_MEAN_ROW_CHARACTERS ||
		header.some((row) => rowLength(row) > MAX_HEADER_CHARACTERS)
	);
}

const rowLength = (row: GridRow): number => row.reduce((sum, { text }) => sum + text.length + 3, 0);

/** Groups rows that follow one another by the way in which they are written. */
function groupByLength(
	body: readonly GridRow[],
	isWide: boolean,
): { readonly isLong: boolean; readonly rows: GridRow[] }[] {
	const groups: { isLong: boolean; rows: GridRow[] }[] = [];
	for (const row of body) {
		if (ownCells(row).length === 0) continue;
		const isLong = isWide || rowLength(row) > MAX_ROW_CHARACTERS;
		if (groups.at(-1)?.isLong !== isLong) groups.push({ isLong, rows: [] });
		groups.at(-1)?.rows.push(row);
	}
	return groups;
}
