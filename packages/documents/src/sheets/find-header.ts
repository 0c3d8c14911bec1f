import { isYear } from "./cell-kind";
import { type GridCell, type GridRow, listColumns, ownCells } from "./grid";

/** Rows of a table by what they are for. */
export interface TableRows {
	/** Rows with one text each, above the header. */
	readonly captions: readonly GridRow[];
	/** Rows that name the columns; empty where none does. */
	readonly header: readonly GridRow[];
	readonly body: readonly GridRow[];
}

export interface HeaderOptions {
	/** Takes the first row of a table of texts for its header, as is usual in CSV. Default: only where it looks like one. */
	readonly isExpected?: boolean;
}

/** Maximum number of rows that name the columns together. */
export const MAX_HEADER_ROWS = 4;
const MAX_LABEL_CHARACTERS = 150;
/** Share of the columns that the last row of a header names. */
const MIN_HEADER_SHARE = 0.6;
/** Rows that are looked at to decide. */
const SAMPLE_ROWS = 50;

/** Finds the captions and the header of a table: rows of texts above rows of values. */
export function findHeader(rows: readonly GridRow[], options: HeaderOptions = {}): TableRows {
	const columnCount = listColumns(rows.slice(0, SAMPLE_ROWS)).length;
	const isCaption = (row: GridRow) =>
		columnCount > 1 && ownCells(row).length === 1 && row[0]?.kind === "text";
	const captionCount = countLeading(rows, isCaption);
	if (captionCount === rows.length) return { captions: rows, header: [], body: [] };
	const rest = rows.slice(captionCount);
	const headerCount = countHeaderRows(rest, columnCount, options);
	return {
		captions: rows.slice(0, captionCount),
		header: rest.slice(0, headerCount),
		body: rest.slice(headerCount),
	};
}

/** Tells whether rows name columns and hold no values, such as a header that an empty row parts from its table. */
export const isHeaderOnly = (rows: readonly GridRow[]): boolean =>
	rows.length <= MAX_HEADER_ROWS && rows.every((row) => row.every(isLabel));

function countHeaderRows(rows: readonly GridRow[], columnCount: number, options: HeaderOptions): number {
	const [first] = rows;
	if (first === undefined || rows.length < 2) return 0;
	const sample = rows.slice(0, SAMPLE_ROWS);
	const below = countKinds(sample.slice(1));
	const labelRows = countLeading(sample, (row) =>
		row.every((cell) => isLabelOver(cell, below.get(cell.column))),
	);
	if (labelRows === 0) return 0;
	if (labelRows > MAX_HEADER_ROWS || labelRows === sample.length)
		return isTextHeader(sample, columnCount, options) ? 1 : 0;
	const full = sample.slice(0, labelRows).findIndex((row) => row.length >= columnCount * MIN_HEADER_SHARE);
	return full === -1 ? labelRows : full + 1;
}

const isLabel = ({ kind, text }: GridCell): boolean =>
	(kind === "text" || isYear(text)) && text.length <= MAX_LABEL_CHARACTERS;

/** Numbers of cells of one column. */
interface KindCounts {
	readonly cells: number;
	readonly years: number;
	readonly dates: number;
}

function countKinds(rows: readonly GridRow[]): Map<number, KindCounts> {
	const counts = new Map<number, KindCounts>();
	for (const { column, kind, text } of rows.flat()) {
		const { cells, years, dates } = counts.get(column) ?? { cells: 0, years: 0, dates: 0 };
		const isDate = kind === "date";
		counts.set(column, {
			cells: cells + 1,
			years: years + Number(!isDate && isYear(text)),
			dates: dates + Number(isDate),
		});
	}
	return counts;
}

/** Tells whether a cell names its column: a text, or a year or date above values of another kind. */
function isLabelOver(cell: GridCell, below: KindCounts | undefined): boolean {
	if (cell.kind === "text") return isLabel(cell);
	if (below === undefined) return false;
	if (cell.kind === "date") return below.dates < below.cells / 2;
	return isYear(cell.text) && below.years < below.cells / 2;
}

/** Tells whether the first row of a table of texts is its header. */
function isTextHeader(rows: readonly GridRow[], columnCount: number, { isExpected }: HeaderOptions): boolean {
	const [first = [], second = []] = rows;
	const isDistinct = new Set(first.map(({ text }) => text)).size === first.length;
	if (columnCount < 2 || !isDistinct || first.length < columnCount * MIN_HEADER_SHARE) return false;
	const isMarked = first.every(({ isBold }) => isBold) && !second.every(({ isBold }) => isBold);
	return isMarked || isExpected === true || (columnCount > 2 && isShorter(first, rows.slice(1)));
}

const isShorter = (row: GridRow, others: readonly GridRow[]): boolean =>
	meanLength([row]) <= meanLength(others) && Math.max(...row.map(({ text }) => text.length)) <= 40;

function meanLength(rows: readonly GridRow[]): number {
	const cells = rows.flat();
	return cells.reduce((sum, { text }) => sum + text.length, 0) / Math.max(1, cells.length);
}

function countLeading<Item>(items: readonly Item[], test: (item: Item, index: number) => boolean): number {
	const index = items.findIndex((item, at) => !test(item, at));
	return index === -1 ? items.length : index;
}
