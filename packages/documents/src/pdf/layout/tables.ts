import { bottomOf, medianOf, type Rectangle, rightOf, surround } from "./page-text";
import type { TextRow } from "./text-rows";
import type { TextSegment } from "./text-segments";

/** Cell of a table: its segments in reading order, none where it is empty. */
export type TableCell = readonly TextSegment[];

export interface TextTable {
	readonly kind: "table";
	/** Left and right edges of the columns. */
	readonly columns: readonly Interval[];
	/** Number of rows that name the columns: 0 or 1. */
	readonly headerRows: number;
	readonly rows: readonly (readonly TableCell[])[];
}

interface Interval {
	readonly from: number;
	readonly to: number;
}

/** Distance of rows in a table, as a share of their height; a larger one ends it. */
const ROW_GAP = 2.5;
/** Rows of one table on a page. */
const RUN_ROWS = 300;
/** Distance of edges or middles that counts as aligned, in points. */
const ALIGNMENT = 4;

/** Finds the tables among the rows of a region: rows whose segments are aligned with one another. */
export function findTables(rows: readonly TextRow[]): (TextRow | TextTable)[] {
	const found: (TextRow | TextTable)[] = [];
	for (let index = 0; index < rows.length; ) {
		const run = takeRun(rows, index);
		const table = run.length < 2 ? undefined : toTable(run);
		found.push(...(table === undefined ? rows.slice(index, index + 1) : [table]));
		index += table === undefined ? 1 : run.length;
	}
	return found;
}

/** Rows from an index on that could be one table: they have several segments, or one below a cell. */
function takeRun(rows: readonly TextRow[], from: number): TextRow[] {
	const run: TextRow[] = [];
	let complete = 0;
	let gapAbove = 0;
	for (const row of rows.slice(from, from + RUN_ROWS)) {
		const last = run.at(-1);
		if (row.isMonospaced || (last === undefined && row.segments.length < 2)) break;
		const gap = last === undefined ? 0 : row.y - bottomOf(last);
		if (last !== undefined && gap > ROW_GAP * Math.max(row.height, last.height)) break;
		const isClose = gap < Math.max(gapAbove * 1.25, row.height * 0.5);
		if (row.segments.length < 2 && !(isClose && run.length - complete < 3 && isBelowCell(row, run))) break;
		gapAbove = gap;
		run.push(row);
		if (row.segments.length > 1 || isWrapped(row, last)) complete = run.length;
	}
	return run.slice(0, complete);
}

function isBelowCell(row: TextRow, run: readonly TextRow[]): boolean {
	const cells = run.flatMap(({ segments }) => segments);
	const { x, width } = surround(cells);
	if (row.x < x - ALIGNMENT || rightOf(row) > x + width + row.fontSize) return false;
	const isNarrow = row.width < width * 0.6 || row.x > x + width * 0.1;
	return isNarrow && cells.some((cell) => Math.abs(cell.x - row.x) < ALIGNMENT);
}

/** Checks whether a row of one segment goes on with a cell other than the first of the row above. */
const isWrapped = (row: TextRow, above: TextRow | undefined): boolean =>
	above !== undefined && row.y - bottomOf(above) < row.height && row.x > above.x + ALIGNMENT;

function toTable(run: readonly TextRow[]): TextTable | undefined {
	const columns = findColumns(run);
	if (columns.length < 2 || !isAligned(run, columns)) return undefined;
	const rows: TextSegment[][][] = [];
	const usualGap = medianOf(run.slice(1).map((row, index) => row.y - bottomOf(run[index] ?? row)));
	let above: TextRow | undefined;
	for (const row of run) {
		const cells = toCells(row, columns);
		const last = rows.at(-1);
		if (
			last !== undefined &&
			above !== undefined &&
			isContinuation(cells, row, row.y - bottomOf(above), usualGap)
		)
			for (const [column, segments] of cells.entries()) last[column]?.push(...segments);
		else rows.push(cells);
		above = row;
	}
	if (rows.length < 2) return undefined;
	return { kind: "table", columns, headerRows: isHeader(rows) ? 1 : 0, rows };
}

/** Columns by the rows with the most segments, as long as they agree. */
function findColumns(run: readonly TextRow[]): Interval[] {
	const counts = [...new Set(run.map(({ segments }) => segments.length))].sort((one, other) => other - one);
	for (const count of counts.filter((one) => one > 1)) {
		const rows = run.filter(({ segments }) => segments.length === count);
		if (rows.length < 2 && count !== counts.at(-1) && counts.length > 1 && run.length > 2) continue;
		const columns = joinIntervals(rows.flatMap(({ segments }) => segments));
		if (columns.length === count || (columns.length > 1 && count === 2)) return columns;
	}
	return joinIntervals(run.flatMap(({ segments }) => (segments.length > 1 ? segments : [])));
}

function joinIntervals(segments: readonly Rectangle[]): Interval[] {
	const joined: { from: number; to: number }[] = [];
	for (const segment of [...segments].sort((one, other) => one.x - other.x)) {
		const last = joined.at(-1);
		if (last === undefined || segment.x > last.to - 1) joined.push({ from: segment.x, to: rightOf(segment) });
		else last.to = Math.max(last.to, rightOf(segment));
	}
	return joined;
}

function findColumn(segment: Rectangle, columns: readonly Interval[]): number {
	const shared = columns.map(({ from, to }) => Math.min(to, rightOf(segment)) - Math.max(from, segment.x));
	return shared.indexOf(Math.max(...shared));
}

function toCells(row: TextRow, columns: readonly Interval[]): TextSegment[][] {
	const cells: TextSegment[][] = columns.map(() => []);
	for (const segment of row.segments) cells[findColumn(segment, columns)]?.push(segment);
	return cells;
}

/** Checks whether most cells begin, end or are centred where the others of their column do. */
function isAligned(run: readonly TextRow[], columns: readonly Interval[]): boolean {
	const rows = run.filter(({ segments }) => segments.length > 1).map((row) => toCells(row, columns));
	// The first column tells nothing: lines of text begin below one another, too. Nor do columns of one cell.
	const shares = columns.slice(1).flatMap((_, index) => {
		const cells = rows.flatMap((row) => row[index + 1]?.slice(0, 1) ?? []);
		const edges = [cells.map(({ x }) => x), cells.map(rightOf), cells.map(({ x, width }) => x + width / 2)];
		return cells.length < 2 ? [] : Math.max(...edges.map(countNearMedian)) / cells.length;
	});
	const share = shares.reduce((sum, one) => sum + one, 0) / shares.length;
	return shares.length > 0 && share >= 0.6;
}

function countNearMedian(positions: readonly number[]): number {
	const median = medianOf(positions);
	return positions.filter((position) => Math.abs(position - median) < ALIGNMENT).length;
}

/** Checks whether a row goes on with cells of the one above: its first cell is empty, and it stands close below. */
function isContinuation(cells: readonly TableCell[], row: TextRow, gap: number, usualGap: number): boolean {
	const [first = []] = cells;
	if (first.length > 0 || gap > row.height * 0.6) return false;
	const filled = cells.filter((cell) => cell.length > 0);
	if (filled.length > 1) return gap < usualGap - row.height * 0.2;
	return filled.flat().some(({ text }) => !isNumber(text));
}

const isNumber = (text: string): boolean => /\d/u.test(text) && !/\p{L}{3}/u.test(text);

/** Checks whether the first row names the columns: it alone is bold, or it has no numbers above columns that have. */
function isHeader(rows: readonly (readonly TableCell[])[]): boolean {
	const [first = [], ...others] = rows;
	const filled = first.filter((cell) => cell.length > 0);
	if (filled.length < Math.max(2, first.length * 0.6)) return false;
	if (first.flat().some(({ text }) => isNumber(text) || text.endsWith(":"))) return false;
	const isBold = (row: readonly TableCell[]): boolean => row.flat().every((cell) => cell.isBold);
	if (isBold(first) && !others.every(isBold)) return true;
	return first.some((_, column) => column > 0 && hasNumbers(others.map((row) => row[column] ?? [])));
}

const hasNumbers = (cells: readonly TableCell[]): boolean =>
	cells.filter(([first]) => first !== undefined && isNumber(first.text)).length > cells.length / 2;
