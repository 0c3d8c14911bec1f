import type { ExtractedTable, ExtractedText } from "../text-extraction";
import { UnreadableError } from "../unreadable-error";
import type { OfficeBlock, OfficeCell, OfficeRow } from "./office-block";

type OfficeTable = Extract<OfficeBlock, { kind: "table" }>;

/** Maximum length of a cell that may name a column. */
const MAX_NAME_CHARACTERS = 60;
/** Maximum number of cells of one table. */
export const MAX_OFFICE_CELLS = 500_000;

/** Bounds of what is repeated, such as cells that one spans, so that a small file does not become a long text. */
export const MAX_TABLE_COLUMNS = 100;
const MAX_HEADER_ROWS = 5;
const MAX_REPEATED_CHARACTERS = 200;

/**
 * Makes a table of rows and columns of merged cells: the text of a cell that spans rows is in each of them, that of a
 * header over several columns in each of these.
 *
 * @throws UnreadableError beyond {@link MAX_OFFICE_CELLS}.
 */
export function toTable({ rows, caption, place }: OfficeTable): ExtractedTable {
	if (rows.reduce((sum, { cells }) => sum + cells.length, 0) > MAX_OFFICE_CELLS)
		throw new UnreadableError(`it has a table of more than ${MAX_OFFICE_CELLS.toLocaleString("en")} cells`, {
			code: "too_complex",
		});
	const headerCount = countHeaderRows(rows);
	const grid: string[][] = [];
	for (const [index, row] of rows.entries())
		grid.push(toGridRow(row.cells, grid[index - 1] ?? [], index < headerCount));
	const toTexts = (row: readonly string[]): ExtractedText[] => row.map((text) => ({ text, place }));
	return {
		...(caption !== undefined && { caption: { text: caption, place } }),
		header: grid.slice(0, headerCount).map(toTexts),
		rows: grid.slice(headerCount).map(toTexts),
	};
}

function toGridRow(cells: readonly OfficeCell[], above: readonly string[], isHeader: boolean): string[] {
	const row: string[] = [];
	for (const { text, columns, continuesAbove } of cells) {
		const value = continuesAbove ? toRepeated(above[row.length]) : text;
		row.push(value);
		for (let column = 1; column < columns && row.length < MAX_TABLE_COLUMNS; column++)
			row.push(isHeader ? toRepeated(value) : "");
	}
	return row;
}

const toRepeated = (text = ""): string => (text.length <= MAX_REPEATED_CHARACTERS ? text : "");

/** Rows at the top that name the columns: as the file says, else the first one if it looks like it. */
function countHeaderRows(rows: readonly OfficeRow[]): number {
	const marked = rows.findIndex(({ isHeader }) => !isHeader);
	if (marked > 0) return Math.min(marked, MAX_HEADER_ROWS);
	const [first, second] = rows;
	if (first === undefined || second === undefined) return 0;
	return marked === 0 && looksLikeHeader(first) ? 1 : 0;
}

function looksLikeHeader({ cells }: OfficeRow): boolean {
	const texts = cells.map(({ text }) => text.trim());
	return (
		texts.length > 1 &&
		new Set(texts).size === texts.length &&
		// The corner above the names of the rows may be empty.
		texts.every((text, index) => text.length <= MAX_NAME_CHARACTERS && (text !== "" || index === 0)) &&
		texts.every((text) => !/^[\d\s.,:%€$£()+/-]+$/u.test(text))
	);
}
