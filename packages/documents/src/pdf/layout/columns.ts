import { bottomOf, medianOf, rightOf, surround } from "./page-text";
import { joinWords, toRows } from "./text-rows";
import type { TextSegment } from "./text-segments";

/** Width of the narrowest gap between columns, and of the narrowest text that can have columns, in points. */
const GUTTER_WIDTH = 6;
const COLUMNS_WIDTH = 200;
/** Characters of most lines of running text. */
const LINE_LENGTH = 15;
/** Columns within columns. */
const NESTING = 3;

interface Gutter {
	readonly middle: number;
	/** Sum of the heights of what crosses it. */
	readonly crossed: number;
}

/**
 * Splits the text of a page into regions in reading order: the columns of running text one after the other, and what
 * goes across them where it stands between them. Tables and forms stay whole, since their cells are shorter than lines.
 */
export function splitColumns(segments: readonly TextSegment[], nesting = NESTING): TextSegment[][] {
	const gutter =
		nesting === 0 ? undefined : findGutters(segments).find((one) => isBetweenColumns(segments, one));
	if (gutter === undefined) return [[...segments]];
	const regions: TextSegment[][] = [];
	let pending: TextSegment[] = [];
	for (const band of toBands(segments, gutter)) {
		const sides = [band.filter((one) => isLeft(one, gutter)), band.filter((one) => isRight(one, gutter))];
		if (band.some((one) => isAcross(one, gutter)) || !isTextInColumns(sides, band)) {
			pending.push(...band);
			continue;
		}
		regions.push(pending, ...sides.flatMap((side) => splitColumns(side, nesting - 1)));
		pending = [];
	}
	return [...regions, pending].filter((region) => region.length > 0);
}

const isLeft = (segment: TextSegment, { middle }: Gutter): boolean => rightOf(segment) <= middle;
const isRight = (segment: TextSegment, { middle }: Gutter): boolean => segment.x >= middle;
const isAcross = (segment: TextSegment, gutter: Gutter): boolean =>
	!isLeft(segment, gutter) && !isRight(segment, gutter);

/** Gaps between segments that few of them cross, the least crossed first. */
function findGutters(segments: readonly TextSegment[]): Gutter[] {
	if (segments.length < 6) return [];
	const { x, width } = surround(segments);
	if (width < COLUMNS_WIDTH) return [];
	const edges = segments
		.flatMap((one) => [
			{ x: one.x, height: one.height },
			{ x: rightOf(one), height: -one.height },
		])
		.sort((one, other) => one.x - other.x);
	const total = segments.reduce((sum, { height }) => sum + height, 0);
	const gutters: Gutter[] = [];
	let crossed = 0;
	for (const [index, edge] of edges.entries()) {
		crossed += edge.height;
		const next = edges[index + 1]?.x ?? edge.x;
		const middle = (edge.x + next) / 2;
		if (next - edge.x < GUTTER_WIDTH || crossed > total * 0.35) continue;
		if (middle > x + width * 0.15 && middle < x + width * 0.85) gutters.push({ middle, crossed });
	}
	return gutters.sort((one, other) => one.crossed - other.crossed).slice(0, 6);
}

function isBetweenColumns(segments: readonly TextSegment[], gutter: Gutter): boolean {
	const sides = [
		segments.filter((one) => isLeft(one, gutter)),
		segments.filter((one) => isRight(one, gutter)),
	];
	return isTextInColumns(sides, segments);
}

/** Segments between those that go across the gutter, and these by themselves, from top to bottom. */
function toBands(segments: readonly TextSegment[], gutter: Gutter): TextSegment[][] {
	const across = segments.filter((one) => isAcross(one, gutter)).sort((one, other) => one.y - other.y);
	const others = segments.filter((one) => !isAcross(one, gutter)).sort((one, other) => one.y - other.y);
	const bands: TextSegment[][] = [];
	let from = 0;
	for (const segment of across) {
		const middle = segment.y + segment.height / 2;
		let to = from;
		while (to < others.length && (others[to]?.y ?? 0) + (others[to]?.height ?? 0) / 2 < middle) to++;
		bands.push(others.slice(from, to), [segment]);
		from = to;
	}
	return [...bands, others.slice(from)].filter((band) => band.length > 0);
}

/** Checks whether all sides hold running text: several lines that fill their column, side by side. */
function isTextInColumns(sides: readonly TextSegment[][], all: readonly TextSegment[]): boolean {
	if (!sides.every(isRunningText)) return false;
	const { height } = surround(all);
	const [left, right] = sides.map(surround);
	if (left === undefined || right === undefined) return false;
	const shared = Math.min(bottomOf(left), bottomOf(right)) - Math.max(left.y, right.y);
	return shared > Math.min(height * 0.2, Math.min(left.height, right.height) * 0.5);
}

function isRunningText(side: readonly TextSegment[]): boolean {
	if (side.length < 3) return false;
	const { width } = surround(side);
	const lines = joinWords(toRows(side)).flatMap(({ segments }) => segments);
	const longest = lines.reduce((one, other) => Math.max(one, other.width), 0);
	const filling = lines.filter((one) => one.width > longest * 0.6).length;
	const length = medianOf(lines.map(({ text }) => text.length));
	// Lines that do not fill a side are those of several columns.
	const isFilled = longest > width * 0.6;
	return filling >= Math.max(2, lines.length * 0.4) && length >= (isFilled ? LINE_LENGTH : 2 * LINE_LENGTH);
}
