import { type Angle, isOnOneLine, type Rectangle, rightOf, surround, type TextItem } from "./page-text";

/** Text that stands together on one line: words without a wide gap between them. */
export interface TextSegment extends Rectangle {
	readonly text: string;
	readonly fontSize: number;
	readonly isBold: boolean;
	readonly isMonospaced: boolean;
	readonly page: number;
	readonly angle: Angle;
}

/** Shares of the font size: a gap that is a blank, and one that parts two segments. */
const BLANK_GAP = 0.15;
const SEGMENT_GAP = 0.55;
const OVERLAP = -0.6;
/** Height of the stripes by which segments of the same line are looked up, in points. */
const STRIPE_HEIGHT = 8;
/** Segments of a stripe that are compared with an item. */
const COMPARED_SEGMENTS = 40;

interface OpenSegment {
	readonly items: TextItem[];
	last: TextItem;
}

/** Joins the items of one direction to segments, in no order. */
export function toSegments(items: readonly TextItem[], page: number, angle: Angle): TextSegment[] {
	const stripes = new Map<number, OpenSegment[]>();
	const segments: OpenSegment[] = [];
	for (const item of [...items].sort((one, other) => one.x - other.x)) {
		const stripe = Math.round((item.y + item.height / 2) / STRIPE_HEIGHT);
		const near = [stripe - 1, stripe, stripe + 1].flatMap((key) => stripes.get(key) ?? []);
		if (near.some(({ last }) => isDrawnTwice(last, item))) continue;
		const segment = findSegment(near, item);
		if (segment !== undefined) {
			segment.items.push(item);
			if (rightOf(item) > rightOf(segment.last) || !isSmaller(item, segment.last)) segment.last = item;
			continue;
		}
		const opened = { items: [item], last: item };
		segments.push(opened);
		stripes.set(stripe, [...(stripes.get(stripe) ?? []), opened].slice(-COMPARED_SEGMENTS));
	}
	return segments.map((segment) => toSegment(segment.items, page, angle));
}

function findSegment(segments: readonly OpenSegment[], item: TextItem): OpenSegment | undefined {
	let found: OpenSegment | undefined;
	let smallest = Infinity;
	for (const segment of segments) {
		const { last } = segment;
		if (!isOnOneLine(last, item)) continue;
		const size = Math.max(last.fontSize, item.fontSize);
		const gap = item.x - rightOf(last);
		if (gap > SEGMENT_GAP * size || gap < OVERLAP * size || Math.abs(gap) >= smallest) continue;
		found = segment;
		smallest = Math.abs(gap);
	}
	return found;
}

const isSmaller = (item: TextItem, other: TextItem): boolean => item.fontSize < other.fontSize * 0.8;

/** Checks whether an item is the same as another: some programs draw bold text twice. */
const isDrawnTwice = (one: TextItem, other: TextItem): boolean =>
	one.text === other.text &&
	Math.abs(one.x - other.x) < one.fontSize * 0.1 &&
	Math.abs(one.y - other.y) < one.fontSize * 0.1;

function toSegment(items: readonly TextItem[], page: number, angle: Angle): TextSegment {
	const letters = items.reduce((sum, { text }) => sum + text.length, 0);
	const count = (has: (item: TextItem) => boolean): number =>
		items.reduce((sum, item) => sum + (has(item) ? item.text.length : 0), 0);
	const isRightToLeft = count((item) => item.isRightToLeft) > letters / 2;
	const largest = items.reduce((one, other) => (other.text.length > one.text.length ? other : one));
	return {
		...surround(items),
		text: joinItems(isRightToLeft ? [...items].reverse() : items),
		fontSize: Math.round(largest.fontSize * 10) / 10,
		isBold: count((item) => item.isBold) > letters * 0.8,
		isMonospaced: count((item) => item.isMonospaced) > letters * 0.8,
		page,
		angle,
	};
}

function joinItems(items: readonly TextItem[]): string {
	let joined = "";
	let previous: TextItem | undefined;
	for (const item of items) {
		if (previous !== undefined && isApart(previous, item)) joined += " ";
		joined += item.text;
		previous = item;
	}
	return joined.replace(LEADER, " … ").replace(/\s+/gu, " ").trim();
}

/** Dots that lead to a page number or a price. */
const LEADER = /(?:\s?[.·_]){5,}/gu;

function isApart(one: TextItem, other: TextItem): boolean {
	const gap = one.x <= other.x ? other.x - rightOf(one) : one.x - rightOf(other);
	return gap > BLANK_GAP * Math.min(one.fontSize, other.fontSize);
}
