import { heaviestOf } from "./page-text";
import type { Paragraph } from "./paragraphs";

/** Entry of a document's outline (bookmarks). */
export interface OutlineEntry {
	readonly title: string;
	/** Number of entries above it. */
	readonly depth: number;
}

/** Level of each paragraph that is a heading. */
export type HeadingLevels = ReadonlyMap<Paragraph, number>;

/** Rows and characters of the longest heading. */
const HEADING_ROWS = 3;
const HEADING_CHARACTERS = 160;
/** Number of levels of headings. */
const HEADING_LEVELS = 6;
/** Font size of a heading as a multiple of most text's. */
const LARGER = 1.12;

/**
 * Finds the headings among the paragraphs of a document: lines that are larger than most text, that are bold by
 * themselves, or that the outline names. A level for each style, or as deep as the outline has it; level 1 is left to
 * the one line of the largest style.
 */
export function findHeadings(
	paragraphs: readonly Paragraph[],
	outline: readonly OutlineEntry[],
): HeadingLevels {
	const body = measureBody(paragraphs);
	const depths = new Map(outline.map(({ title, depth }) => [toKey(title), depth]));
	const depthOf = (one: Paragraph): number | undefined => depths.get(toKey(textOf(one)));
	const found = paragraphs.filter((one) => isHeading(one, body, depthOf(one) !== undefined));
	return toLevels(found, body.fontSize * LARGER, depthOf);
}

/** Look of most text of a document. */
interface BodyStyle {
	readonly fontSize: number;
	readonly isBold: boolean;
	readonly angle: number;
}

function measureBody(paragraphs: readonly Paragraph[]): BodyStyle {
	const sizes = new Map<number, number>();
	const angles = new Map<number, number>();
	let bold = 0;
	let all = 0;
	for (const { fontSize, text, isBold, segments } of paragraphs.flatMap(({ rows }) => rows)) {
		const angle = segments[0]?.angle ?? 0;
		sizes.set(fontSize, (sizes.get(fontSize) ?? 0) + text.length);
		angles.set(angle, (angles.get(angle) ?? 0) + text.length);
		all += text.length;
		if (isBold) bold += text.length;
	}
	return { fontSize: heaviestOf(sizes, 10), isBold: bold > all / 2, angle: heaviestOf(angles, 0) };
}

const textOf = ({ rows }: Paragraph): string => rows.map(({ text }) => text).join(" ");

const toKey = (title: string): string => title.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

function isHeading(one: Paragraph, body: BodyStyle, isInOutline: boolean): boolean {
	const [first] = one.rows;
	const text = textOf(one);
	if (first === undefined || one.kind === "code" || one.rows.length > HEADING_ROWS) return false;
	if (text.length > HEADING_CHARACTERS || !/\p{L}{2}|\p{Lo}/u.test(text) || /^[•◦▪‣·–—*-]/u.test(text))
		return false;
	// Stamps at the side of a page are large at times.
	if (first.segments[0]?.angle !== body.angle) return false;
	if (isInOutline) return true;
	if (/[.,;:]$/u.test(text)) return false;
	if (first.fontSize > body.fontSize * LARGER) return true;
	return first.isBold && !body.isBold && one.rows.length <= 2 && first.fontSize > body.fontSize * 0.9;
}

function toLevels(
	found: readonly Paragraph[],
	titleSize: number,
	depthOf: (one: Paragraph) => number | undefined,
): HeadingLevels {
	const styles = [...new Set(found.map(toStyle))].sort((one, other) => other - one);
	const [largest, ...others] = found.filter((one) => toStyle(one) === styles[0]);
	const isLarger = (largest?.rows[0]?.fontSize ?? 0) > titleSize;
	const isTitle = largest !== undefined && isLarger && others.length === 0 && found.indexOf(largest) <= 2;
	const title = isTitle ? largest : undefined;
	const deeper = new Map(
		found.map((one) => [toStyle(one), depthOf(one)] as const).filter(([, depth]) => depth !== undefined),
	);
	const rank = title === undefined ? 2 : 1;
	return new Map(
		found.map((one) => {
			const style = toStyle(one);
			const depth = depthOf(one) ?? deeper.get(style);
			const level = depth === undefined ? styles.indexOf(style) + rank : depth + 2;
			return [one, one === title ? 1 : Math.min(Math.max(level, 2), HEADING_LEVELS)];
		}),
	);
}

/** Number that orders styles: the size, then whether it is bold. */
const toStyle = ({ rows: [first] }: Paragraph): number =>
	first === undefined ? 0 : Math.round(first.fontSize) * 2 + (first.isBold ? 1 : 0);
