import { isOnOneLine, type Rectangle, rightOf, surround } from "./page-text";
import type { TextSegment } from "./text-segments";

/** Segments of one region that stand on one line, from left to right. */
export interface TextRow extends Rectangle {
	readonly segments: readonly TextSegment[];
	readonly text: string;
	/** Size of most of its text. */
	readonly fontSize: number;
	readonly isBold: boolean;
	readonly isMonospaced: boolean;
}

/** Marks of list items: bullets, and numbers or letters with a point or a parenthesis. */
const LIST_MARK = /^(?:[•◦▪▫‣·○■□➢✓–—*-]|o(?=\s)|\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{2,5})[.)])(?:\s+|$)/u;

/** Length of the list mark at the start of a text; 0 where there is none. */
export const listMarkLength = (text: string): number => LIST_MARK.exec(text)?.[0].length ?? 0;

/** Groups the segments of a region into rows, from top to bottom. */
export function toRows(segments: readonly TextSegment[]): TextRow[] {
	const rows: TextSegment[][] = [];
	for (const segment of [...segments].sort((one, other) => one.y - other.y)) {
		const row = rows.slice(-3).find(([first]) => first !== undefined && isOnOneLine(first, segment));
		if (row === undefined) rows.push([segment]);
		else row.push(segment);
	}
	return rows.map(toRow);
}

/** Row of segments in any order. */
function toRow(unsorted: readonly TextSegment[]): TextRow {
	const segments = [...unsorted].sort((one, other) => one.x - other.x);
	const longest = segments.reduce((one, other) => (other.text.length > one.text.length ? other : one));
	return {
		...surround(segments),
		segments,
		text: segments.map(({ text }) => text).join(" "),
		fontSize: longest.fontSize,
		isBold: segments.every(({ isBold }) => isBold),
		isMonospaced: segments.every(({ isMonospaced }) => isMonospaced),
	};
}

/** Largest gap between words of a justified line, as a share of the font size. */
const WORD_GAP = 1.1;
/** Smallest gap that two rows have in common where both are rows of a table. */
const SHARED_GAP = 0.3;

/**
 * Joins the segments of each row that are words of one line, and list marks to the text after them. Cells of a table
 * can be as close as such words; they are told apart by gaps that a row shares with the one above or below it.
 */
export function joinWords(rows: readonly TextRow[]): TextRow[] {
	return rows.map((row, index) => {
		const cellGaps = new Set([...sharedGaps(row, rows[index - 1]), ...sharedGaps(row, rows[index + 1])]);
		const joined: TextSegment[] = [];
		for (const [position, segment] of row.segments.entries()) {
			const last = joined.at(-1);
			const isWord = last !== undefined && isJoined(last, segment) && !cellGaps.has(position);
			if (last === undefined || !(isWord || isMarkOf(last, segment))) joined.push(segment);
			else joined[joined.length - 1] = joinTwo(last, segment);
		}
		return joined.length === row.segments.length ? row : toRow(joined);
	});
}

const isJoined = (one: TextSegment, next: TextSegment): boolean =>
	next.x - rightOf(one) < WORD_GAP * Math.max(one.fontSize, next.fontSize);

const isMarkOf = (mark: TextSegment, text: TextSegment): boolean =>
	listMarkLength(mark.text) === mark.text.length && text.x - mark.x < 5 * text.fontSize;

function joinTwo(one: TextSegment, next: TextSegment): TextSegment {
	const longer = next.text.length > one.text.length ? next : one;
	const isRightToLeft = RIGHT_TO_LEFT.test(longer.text);
	return {
		...longer,
		...surround([one, next]),
		text: isRightToLeft ? `${next.text} ${one.text}` : `${one.text} ${next.text}`,
		isBold: one.isBold && next.isBold,
		isMonospaced: one.isMonospaced && next.isMonospaced,
	};
}

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;

/** Segments of a row that begin after a gap which another row has, too; none where they share only one of many. */
function sharedGaps(row: TextRow, other: TextRow | undefined): number[] {
	if (other === undefined || row.segments.length < 3 || other.segments.length < 3) return [];
	const gaps = toGaps(other);
	const shared = toGaps(row).flatMap((gap, index) => {
		const width = Math.max(...gaps.map(({ from, to }) => Math.min(to, gap.to) - Math.max(from, gap.from)));
		return width > SHARED_GAP * row.fontSize ? index + 1 : [];
	});
	return shared.length >= 2 && shared.length >= (row.segments.length - 1) / 2 ? shared : [];
}

const toGaps = ({ segments }: TextRow): { from: number; to: number }[] =>
	segments.slice(1).map((segment, index) => {
		const before = segments[index];
		return { from: before === undefined ? segment.x : rightOf(before), to: segment.x };
	});
