import { sanitizeLine } from "../terminal";
import type { Piece } from "./escape-invisible";
import { measureColumns, takeColumns } from "./wrap-columns";

/**
 * Text for reading as rows that break between words and are at most that wide. A word that is wider than a row, as in
 * languages without blanks, is broken.
 *
 * @param maxRows - more rows than these are left out, and the last one ends with `…`.
 */
export function wrapWords(text: string, columns: number, maxRows = Number.POSITIVE_INFINITY): string[] {
	const rows: Piece[][] = [];
	let row: readonly Piece[] = [];
	for (const piece of toPieces(sanitizeLine(text).trim())) {
		if (measureColumns([...row, piece]) <= columns) {
			row = [...row, piece];
			continue;
		}
		const { full, rest } = breakRow(row, piece);
		rows.push(full);
		if (rows.length > maxRows) break;
		row = rest;
	}
	const all = [...rows, row];
	return all.length <= maxRows
		? all.map(toText)
		: [...all.slice(0, maxRows - 1).map(toText), cut(all, maxRows, columns)];
}

/** Breaks a row that has no room for a piece: at its last blank, else before the piece. */
function breakRow(row: readonly Piece[], piece: Piece): { readonly full: Piece[]; readonly rest: Piece[] } {
	if (isBlank(piece)) return { full: [...row], rest: [] };
	const blank = row.findLastIndex(isBlank);
	if (blank === -1) return { full: [...row], rest: [piece] };
	return { full: row.slice(0, blank), rest: [...row.slice(blank + 1), piece] };
}

const SEGMENTER = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Characters that terminals draw two columns wide. */
const IS_WIDE =
	/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60]/u;

const toPieces = (line: string): Piece[] =>
	Array.from(SEGMENTER.segment(line), ({ segment }) => ({
		text: segment,
		columns: IS_WIDE.test(segment) ? 2 : 1,
		characters: 1,
	}));

const ELLIPSIS = toPieces(" …");

/** The last of the rows that are shown. */
function cut(rows: readonly (readonly Piece[])[], maxRows: number, columns: number): string {
	const room = columns - measureColumns(ELLIPSIS);
	return toText(takeColumns(rows[maxRows - 1] ?? [], room)).trimEnd() + toText(ELLIPSIS);
}

const isBlank = ({ text }: Piece): boolean => text === " ";

const toText = (pieces: readonly Piece[]): string => pieces.map(({ text }) => text).join("");
