import { bottomOf } from "./page-text";
import { type TextRow, toRows } from "./text-rows";
import type { TextSegment } from "./text-segments";

/** Upright text of a page. */
export interface PageSegments {
	readonly height: number;
	readonly segments: readonly TextSegment[];
}

/** Share of the page's height at its top and bottom, and number of rows there, that can be running lines. */
const EDGE = 0.16;
const EDGE_ROWS = 6;
/** Distance at which rows of two pages count as at the same height, in points. */
const TOLERANCE = 6;

interface EdgeRow {
	readonly page: number;
	/** Texts by which it is compared with the rows of other pages. */
	readonly keys: readonly string[];
	/** Distance from the edge of the page. */
	readonly distance: number;
	readonly row: TextRow;
}

/** Lists the segments of running headers and footers: rows at the edges of pages that return at the same height. */
export function findRunningLines(pages: readonly PageSegments[]): ReadonlySet<TextSegment> {
	const running = new Set<TextSegment>();
	const edges = pages.map((page, index) => [toTop(page, index), toBottom(page, index)]);
	const byKey = groupByKey(edges.flat(2));
	const required = pages.length <= 4 ? 2 : 3;
	const returns = (key: string, distance: number): boolean => {
		const others = (byKey.get(key) ?? []).filter((one) => Math.abs(one.distance - distance) < TOLERANCE);
		return new Set(others.map(({ page }) => page)).size >= required;
	};
	for (const rows of edges.flat()) {
		for (const edge of rows) {
			if (!edge.keys.some((key) => returns(key, edge.distance))) break;
			for (const segment of edge.row.segments) running.add(segment);
		}
	}
	return running;
}

function groupByKey(rows: readonly EdgeRow[]): Map<string, EdgeRow[]> {
	const groups = new Map<string, EdgeRow[]>();
	for (const row of rows) {
		for (const key of row.keys) {
			const group = groups.get(key);
			if (group === undefined) groups.set(key, [row]);
			else group.push(row);
		}
	}
	return groups;
}

function toTop({ segments, height }: PageSegments, page: number): EdgeRow[] {
	const rows = toRows(segments.filter((one) => bottomOf(one) < height * EDGE)).slice(0, EDGE_ROWS);
	return rows.map((row) => ({ page, keys: toKeys("top", row.text, page), distance: row.y, row }));
}

function toBottom({ segments, height }: PageSegments, page: number): EdgeRow[] {
	const rows = toRows(segments.filter((one) => one.y > height * (1 - EDGE)))
		.slice(-EDGE_ROWS)
		.reverse();
	return rows.map((row) => ({ page, keys: toKeys("bottom", row.text, page), distance: height - row.y, row }));
}

/** Text as it is, and with each number that could be a page number as its distance from the page's. */
function toKeys(edge: "top" | "bottom", text: string, page: number): string[] {
	const line = `${edge} ${text.toLowerCase().replace(/\s+/gu, "")}`;
	const numbers = [...line.matchAll(PAGE_NUMBER)].slice(0, COMPARED_NUMBERS);
	const keys = numbers.map(({ 0: number, index }) => {
		const distance = toNumber(number) - page;
		return `${line.slice(0, index)}#${distance}${line.slice(index + number.length)}`;
	});
	return [line, ...keys];
}

const COMPARED_NUMBERS = 4;
const PAGE_NUMBER = /\d{1,5}|(?<= )[ivxlc]+$/gu;
const ROMAN: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50, c: 100 };

function toNumber(number: string): number {
	if (/^\d/u.test(number)) return Number(number);
	const values = [...number].map((letter) => ROMAN[letter] ?? 0);
	return values.reduce((sum, value, index) => sum + (value < (values[index + 1] ?? 0) ? -value : value), 0);
}
