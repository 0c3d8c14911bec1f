import { findHeader, type HeaderOptions, isHeaderOnly, MAX_HEADER_ROWS, type TableRows } from "./find-header";
import { type GridRow, listColumns, ownCells } from "./grid";

/** Texts of a sheet in reading order: tables, and lines that belong to none. */
export type SheetPart = TablePart | { readonly kind: "lines"; readonly rows: readonly GridRow[] };

export interface TablePart extends TableRows {
	readonly kind: "table";
	readonly body: GridRow[];
}

/** Rows of one column from which they are a list rather than a few lines of text. */
const MIN_LIST_ROWS = 8;
/** Share of texts in a column from which it names the rows of a table. */
const MIN_LABEL_SHARE = 0.6;
/** Rows that are looked at, and empty columns that are tried, to find tables beside one another. */
const SAMPLE_ROWS = 50;
const MAX_EMPTY_COLUMNS = 20;

/**
 * Finds the tables of a sheet, which empty rows and columns part. An empty row after a header, or within a table whose
 * columns go on, parts nothing, and neither does an empty column within one.
 */
export function findTables(rows: readonly GridRow[], options: HeaderOptions = {}): SheetPart[] {
	const parts: SheetPart[] = [];
	for (const band of splitAtEmptyRows(rows).flatMap((one) => splitAtEmptyColumns(one, options))) {
		const part = toPart(band, options);
		const above = parts.at(-1);
		const isTables = above?.kind === "table" && part.kind === "table";
		if (isTables && isHeaderOf(above, part))
			parts[parts.length - 1] = {
				...part,
				captions: above.captions,
				header: [...above.header, ...above.body],
			};
		else if (isTables && goesOn(above, part)) for (const row of part.body) above.body.push(row);
		else parts.push(part);
	}
	return parts.flatMap(withoutEmptyTable);
}

function toPart(rows: readonly GridRow[], options: HeaderOptions): SheetPart {
	const isLines = rows.every((row) => ownCells(row).length <= 1);
	if (isLines && (rows.length < MIN_LIST_ROWS || listColumns(rows.map(ownCells)).length > 1))
		return { kind: "lines", rows };
	const { captions, header, body } = findHeader(rows, options);
	return { kind: "table", captions, header, body: [...body] };
}

/** Tells whether a part is the header of the part below it, from which an empty row parts it. */
function isHeaderOf(above: TablePart, part: TablePart): boolean {
	if (above.header.length + above.body.length > MAX_HEADER_ROWS || hasOwnHead(part)) return false;
	const rows = [...above.header, ...above.body];
	return isHeaderOnly(rows) && !isHeaderOnly(part.body) && hasColumnsOf(part.body, rows);
}

/** Tells whether a part is more rows of the table above it. Texts alone below values are the header of another one. */
function goesOn(above: TablePart, part: TablePart): boolean {
	if (above.header.length === 0 || hasOwnHead(part)) return false;
	const isNextHeader = isHeaderOnly(part.body) && !above.body.slice(0, SAMPLE_ROWS).every(isTextRow);
	return !isNextHeader && hasColumnsOf(part.body, above.header);
}

const isTextRow = (row: GridRow): boolean => row.every(({ kind }) => kind === "text");

const hasOwnHead = ({ header, captions }: TablePart): boolean => header.length > 0 || captions.length > 0;

function hasColumnsOf(rows: readonly GridRow[], others: readonly GridRow[]): boolean {
	const columns = listColumns(rows);
	const known = new Set(listColumns(others));
	const shared = columns.filter((column) => known.has(column)).length;
	return columns.length > 1 && shared >= columns.length * MIN_LABEL_SHARE;
}

/** A header with nothing below it is text. */
function withoutEmptyTable(part: SheetPart): SheetPart[] {
	if (part.kind === "lines" || part.body.length > 0) return [part];
	return [{ kind: "lines", rows: [...part.captions, ...part.header] }];
}

function splitAtEmptyRows(rows: readonly GridRow[]): GridRow[][] {
	const bands: GridRow[][] = [];
	let last = Number.NEGATIVE_INFINITY;
	for (const row of rows) {
		const number = row[0]?.row ?? 0;
		if (number > last + 1) bands.push([]);
		bands.at(-1)?.push(row);
		last = number;
	}
	return bands;
}

/** Splits rows at an empty column where both sides are tables with names of their rows and a header. */
function splitAtEmptyColumns(rows: readonly GridRow[], options: HeaderOptions): GridRow[][] {
	const sample = rows.slice(0, SAMPLE_ROWS);
	const columns = listColumns(rows);
	const isBeforeGap = (column: number, index: number) => (columns[index + 1] ?? 0) > column + 1;
	const split = columns
		.filter(isBeforeGap)
		.slice(0, MAX_EMPTY_COLUMNS)
		.find((column) =>
			[takeColumns(sample, 0, column), takeColumns(sample, column + 1)].every((side) =>
				isWholeTable(side, options),
			),
		);
	if (split === undefined) return [[...rows]];
	return [takeColumns(rows, 0, split), ...splitAtEmptyColumns(takeColumns(rows, split + 1), options)];
}

const takeColumns = (rows: readonly GridRow[], from: number, to = Number.POSITIVE_INFINITY): GridRow[] =>
	rows
		.map((row) => row.filter(({ column }) => column >= from && column <= to))
		.filter(({ length }) => length > 0);

function isWholeTable(rows: readonly GridRow[], options: HeaderOptions): boolean {
	const { header, body } = findHeader(rows, options);
	const columns = listColumns(rows);
	const values = body.flat().filter(({ kind }) => kind !== "text");
	if (header.length === 0 || values.length === 0 || columns.length < 2) return false;
	const labels = body.flatMap((row) => row.find(({ column }) => column === columns[0]) ?? []);
	const texts = labels.filter(({ kind }) => kind === "text");
	return labels.length > 0 && texts.length >= labels.length * MIN_LABEL_SHARE;
}
