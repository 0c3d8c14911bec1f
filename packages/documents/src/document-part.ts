import type { OriginalPlace } from "./original-place";
import type { LinkWords } from "./words/link-words";

/** A stretch of the document's text in UTF-16 code units; `end` is exclusive. */
export interface SourceRange {
	readonly start: number;
	readonly end: number;
}

/** Text that stands at one place of the document's text. Its range is longer than it where the source has entities or escapes. */
export interface TextRun extends SourceRange {
	/** Offset of its start in the text of its block. */
	readonly offset: number;
	readonly length: number;
	/** Place in the file, for formats whose text is extracted. */
	readonly place?: OriginalPlace | undefined;
}

/** A paragraph, list, table or code block as plain text. */
export interface TextBlock extends SourceRange {
	readonly kind: "block";
	readonly text: string;
	/** Runs in text order, never empty. The text between them was added: blanks, list marks, cell separators. */
	readonly runs: readonly TextRun[];
	/** Lines that a later part of the block needs to be understood, such as the header of a table. */
	readonly lead?: string | undefined;
	/** Kind of the places at which the block may be cut if it is too long for one passage. Default `sentence`. */
	readonly splitAt?: "sentence" | "line" | undefined;
	/** Words by which its links are found besides their text, in text order. */
	readonly linkWords?: readonly LinkWords[] | undefined;
}

export interface Heading extends SourceRange {
	readonly kind: "heading";
	/** 1 is the highest. */
	readonly level: number;
	readonly text: string;
	readonly place?: OriginalPlace | undefined;
}

/** Headings and blocks in document order, into which every format is read. */
export interface ParsedDocument {
	/** Title outside the document's text: `<title>`, front matter. */
	readonly title?: string | undefined;
	/** Text that the ranges refer to. Left out where it is the file itself, in UTF-8 without a byte order mark. */
	readonly text?: string | undefined;
	readonly parts: readonly (Heading | TextBlock)[];
	/** Numbers of the pages that show something and whose text was not read, from 1. Left out: all pages were read. */
	readonly unreadPages?: readonly number[] | undefined;
}

/** Returns the range in the source for a part of a block's text. */
export function toSourceRange({ runs }: TextBlock, { start, end }: SourceRange): SourceRange {
	const first = runs[findRun(runs, start)];
	const last = runs[findRun(runs, end - 1)];
	return {
		start: first === undefined ? 0 : toOffset(first, start),
		end: last === undefined ? 0 : toOffset(last, end),
	};
}

/** Lists the places in the file for a part of a block's text. */
export function listPlaces({ runs }: TextBlock, { start, end }: SourceRange): OriginalPlace[] {
	const places: OriginalPlace[] = [];
	const last = findRun(runs, end - 1);
	for (let index = findRun(runs, start); index <= last; index++) {
		const place = runs[index]?.place;
		if (place !== undefined) places.push(place);
	}
	return places;
}

/** Index of the last run that begins at or before a position. */
function findRun(runs: readonly TextRun[], position: number): number {
	let low = 0;
	let high = runs.length - 1;
	while (low < high) {
		const middle = Math.ceil((low + high) / 2);
		if ((runs[middle]?.offset ?? 0) <= position) low = middle;
		else high = middle - 1;
	}
	return low;
}

function toOffset(run: TextRun, position: number): number {
	const runOffset = Math.min(Math.max(position - run.offset, 0), run.length);
	return run.start + Math.floor((runOffset * (run.end - run.start)) / run.length);
}
