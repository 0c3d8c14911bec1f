import { splitColumns } from "./columns";
import { bottomOf, heaviestOf, type PageText, rightOf } from "./page-text";
import { continues, type Paragraph, type TextMeasures, toParagraphs } from "./paragraphs";
import { findRunningLines } from "./running-lines";
import { findTables, type TextTable } from "./tables";
import { joinWords, type TextRow, toRows } from "./text-rows";
import { type TextSegment, toSegments } from "./text-segments";

/** Text of a page as segments, by direction. */
export interface SegmentedPage {
	readonly height: number;
	/** Segments of each direction, the upright ones first. */
	readonly directions: readonly (readonly TextSegment[])[];
}

export type PageBlock = Paragraph | TextTable;

/** Blocks between a paragraph and its end on the next page that are passed over: footnotes, captions. */
const PASSED_BLOCKS = 4;

export const toSegmentedPage = ({ page, height, directions }: PageText): SegmentedPage => ({
	height,
	directions: directions.map(({ angle, items }) => toSegments(items, page, angle)),
});

/** Blocks of a document in reading order, without running headers and footers. */
export function layOutPages(pages: readonly SegmentedPage[]): PageBlock[] {
	const upright = pages.map(({ height, directions }) => ({
		height,
		segments: directions.flat().filter(({ angle }) => angle === 0),
	}));
	const running = findRunningLines(upright);
	const regions = pages.flatMap(({ directions }) =>
		directions.flatMap((segments) =>
			splitColumns(segments.filter((segment) => !running.has(segment))).map((region) =>
				joinWords(toRows(region)),
			),
		),
	);
	const measures = measure(regions);
	const blocks: PageBlock[] = [];
	for (const region of regions) addRegion(blocks, toBlocks(region, measures));
	return blocks;
}

/** Size of most text, and the distance between most of its lines. */
function measure(regions: readonly (readonly TextRow[])[]): TextMeasures {
	const sizes = new Map<number, number>();
	const gaps = new Map<number, number>();
	for (const { fontSize, text } of regions.flat())
		sizes.set(fontSize, (sizes.get(fontSize) ?? 0) + text.length);
	const fontSize = heaviestOf(sizes, 10);
	for (const rows of regions)
		for (const [index, row] of rows.entries()) {
			const above = rows[index - 1];
			if (above === undefined || row.fontSize !== fontSize || above.fontSize !== fontSize) continue;
			const gap = Math.round((row.y - bottomOf(above)) * 2) / 2;
			if (gap < fontSize * 1.5) gaps.set(gap, (gaps.get(gap) ?? 0) + row.text.length);
		}
	return { fontSize, lineGap: heaviestOf(gaps, 0) };
}

function toBlocks(rows: readonly TextRow[], measures: TextMeasures): PageBlock[] {
	const right = Math.max(...rows.map(rightOf));
	const blocks: PageBlock[] = [];
	let text: TextRow[] = [];
	for (const found of findTables(rows)) {
		if (!("kind" in found)) {
			text.push(found);
			continue;
		}
		blocks.push(...toParagraphs(text, right, measures), found);
		text = [];
	}
	return [...blocks, ...toParagraphs(text, right, measures)];
}

/** Adds the blocks of a region; its first may go on with a paragraph or a table of the region before. */
function addRegion(blocks: PageBlock[], region: readonly PageBlock[]): void {
	const [first, ...others] = region;
	if (first === undefined) return;
	const from = Math.max(0, blocks.length - PASSED_BLOCKS);
	for (let index = blocks.length - 1; index >= from; index--) {
		const joined = joinBlocks(blocks[index], first, index === blocks.length - 1);
		if (joined === undefined) continue;
		blocks[index] = joined;
		blocks.push(...others);
		return;
	}
	blocks.push(first, ...others);
}

function joinBlocks(one: PageBlock | undefined, next: PageBlock, isAdjacent: boolean): PageBlock | undefined {
	if (one === undefined) return undefined;
	if (one.kind !== "table" && next.kind !== "table")
		return continues(one, next) ? { ...one, rows: [...one.rows, ...next.rows] } : undefined;
	if (!isAdjacent || one.kind !== "table" || next.kind !== "table") return undefined;
	const isSame =
		one.columns.length === next.columns.length &&
		one.columns.every((column, index) => Math.abs(column.from - (next.columns[index]?.from ?? 0)) < 12);
	if (!isSame || one.headerRows === 0) return undefined;
	const isRepeated = toText(one.rows[0]) === toText(next.rows[0]);
	if (!isRepeated && next.headerRows > 0) return undefined;
	return { ...one, rows: [...one.rows, ...next.rows.slice(isRepeated ? 1 : 0)] };
}

const toText = (row: TextTable["rows"][number] = []): string =>
	row.map((cell) => cell.map(({ text }) => text).join(" ")).join("|");
