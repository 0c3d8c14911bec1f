import { bottomOf, rightOf } from "./page-text";
import { listMarkLength, type TextRow } from "./text-rows";

/** Lines that belong together. */
export interface Paragraph {
	readonly kind: "paragraph" | "item" | "code";
	readonly rows: readonly TextRow[];
}

/** Measures of most of a document's text, in points. */
export interface TextMeasures {
	readonly fontSize: number;
	/** Distance between the lines of a paragraph. */
	readonly lineGap: number;
}

/** Ends of sentences, with what closes them. */
const SENTENCE_END = /[.!?:;。！？][)\]"'”’»]*$/u;

/** Groups the rows of a region to paragraphs, list items and code. @param right - edge of the region. */
export function toParagraphs(rows: readonly TextRow[], right: number, measures: TextMeasures): Paragraph[] {
	const groups: TextRow[][] = [];
	for (const row of rows) {
		const group = groups.at(-1);
		const above = group?.at(-1);
		if (group === undefined || above === undefined || isNew(row, above, group, { right, measures }))
			groups.push([row]);
		else group.push(row);
	}
	return groups.map((group) => ({ kind: toKind(group), rows: group }));
}

function toKind(rows: readonly TextRow[]): Paragraph["kind"] {
	if (rows.every(({ isMonospaced }) => isMonospaced)) return "code";
	return listMarkLength(rows[0]?.text ?? "") > 0 ? "item" : "paragraph";
}

interface Region {
	readonly right: number;
	readonly measures: TextMeasures;
}

/** Checks whether a row begins a new paragraph below the last row of a group. */
function isNew(
	row: TextRow,
	above: TextRow,
	group: readonly TextRow[],
	{ right, measures }: Region,
): boolean {
	const size = Math.max(row.fontSize, above.fontSize);
	const gap = row.y - bottomOf(above);
	const usual = Math.max(measures.lineGap * (size / measures.fontSize), 0);
	if (gap > usual + size * 0.4 || gap < -size * 1.5) return true;
	if (row.isMonospaced !== above.isMonospaced) return true;
	if (row.isMonospaced) return false;
	if (Math.abs(row.fontSize - above.fontSize) > size * 0.12 || row.isBold !== above.isBold) return true;
	if (listMarkLength(row.text) > 0) return isListMark(row, above, group);
	return startsAfterEnd(row, above, group, right);
}

/** Checks whether a mark at the start of a row is one of a list, and not a dash or a number within a sentence. */
function isListMark(row: TextRow, above: TextRow, group: readonly TextRow[]): boolean {
	const isAfterItem =
		listMarkLength(group[0]?.text ?? "") > 0 && Math.abs(row.x - (group[0]?.x ?? 0)) < row.fontSize;
	return (
		isAfterItem || /^[•◦▪▫‣·○■□➢✓]/u.test(row.text) || row.x > above.x + 2 || SENTENCE_END.test(above.text)
	);
}

/** Checks whether a row is indented, or the one above ends early, where a sentence ends. */
function startsAfterEnd(row: TextRow, above: TextRow, group: readonly TextRow[], right: number): boolean {
	if (!SENTENCE_END.test(above.text)) return false;
	const isItem = listMarkLength(group[0]?.text ?? "") > 0;
	if (isItem && group.length === 1 && row.x > above.x) return false;
	if (row.x > above.x + row.fontSize * 0.8) return true;
	const isShort = rightOf(above) < right - (right - above.x) * 0.25;
	return isShort && /^[\p{Lu}\p{Lo}\d"“(]/u.test(row.text);
}

/** Checks whether a paragraph goes on in another one, in the next column or on the next page. */
export function continues(one: Paragraph, next: Paragraph): boolean {
	const last = one.rows.at(-1);
	const [first] = next.rows;
	if (last === undefined || first === undefined || next.kind !== "paragraph" || one.kind === "code")
		return false;
	if (Math.abs(last.fontSize - first.fontSize) > 0.6 || last.isBold !== first.isBold) return false;
	if (SENTENCE_END.test(last.text)) return false;
	const areLong = one.rows.length > 1 && next.rows.length > 1;
	return areLong ? /^[\p{L}\p{N}("“]/u.test(first.text) : /^\p{Ll}/u.test(first.text);
}
