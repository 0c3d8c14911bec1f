import type { Heading, ParsedDocument, SourceRange, TextBlock, TextRun } from "./document-part";
import type { OriginalPlace } from "./original-place";

/** Text with its place in the file. Blanks at its ends are dropped, line ends inside are kept. */
export interface ExtractedText {
	readonly text: string;
	readonly place?: OriginalPlace | undefined;
}

/** Table of a document; rows may have different lengths, and empty ones are left out. */
export interface ExtractedTable {
	readonly caption?: ExtractedText | undefined;
	/** Rows that name the columns; repeated in each passage of the table. */
	readonly header?: readonly (readonly ExtractedText[])[] | undefined;
	/** Read once, so that rows of a large table can be made one by one. */
	readonly rows: Iterable<readonly ExtractedText[]>;
}

/**
 * Collects the text of a file whose format is not text, in reading order, together with where in the file it stands. The
 * extracted text has an empty line between blocks, and ` | ` between the cells of a table.
 */
export interface TextExtraction {
	/** @param level - 1 is the highest. */
	addHeading(level: number, heading: ExtractedText): void;
	/** Adds a paragraph or a list. Each piece begins after `separator`. Default separator: a blank. */
	addBlock(pieces: readonly ExtractedText[], options?: { separator?: string; lead?: string }): void;
	addTable(table: ExtractedTable): void;
	/**
	 * Adds what another reader found in a part of the file, such as a chapter.
	 *
	 * @param level - added to the levels of its headings.
	 */
	addParts(parts: ParsedDocument["parts"], place: OriginalPlace | undefined, level: number): void;
	/** @param title - of the document, outside of its text. */
	finish(title?: string): ParsedDocument;
}

const BLOCK_SEPARATOR = "\n\n";
const CELL_SEPARATOR = " | ";

export function createTextExtraction(): TextExtraction {
	const texts: string[] = [];
	const parts: (Heading | TextBlock)[] = [];
	let length = 0;

	/** Offset at which the next text begins. */
	const nextStart = (): number => length + (texts.length === 0 ? 0 : BLOCK_SEPARATOR.length);

	/** Adds a text of its own to the document's. */
	function append(text: string): SourceRange {
		const start = nextStart();
		texts.push(text);
		length = start + text.length;
		return { start, end: length };
	}

	function addPieces(pieces: Iterable<SeparatedText>, options: Pick<TextBlock, "lead" | "splitAt">): void {
		const { text, runs } = toRuns(pieces, nextStart());
		if (runs.length > 0) parts.push({ kind: "block", text, runs, ...options, ...append(text) });
	}

	return {
		addHeading(level, heading) {
			const text = heading.text.replace(/\s+/gu, " ").trim();
			if (text === "") return;
			parts.push({ kind: "heading", level, text, place: heading.place, ...append(text) });
		},
		addBlock(pieces, { separator = " ", lead } = {}) {
			addPieces(
				pieces.map((piece) => ({ ...piece, separator })),
				{ lead },
			);
		},
		addTable({ caption, header = [], rows }) {
			const lines = [...(caption === undefined ? [] : [[caption]]), ...header];
			const lead = lines.map(toLine).filter(Boolean).join("\n");
			addPieces(toTablePieces(lines, rows), { lead: lead || undefined, splitAt: "line" });
		},
		addParts(others, place, level) {
			for (const part of others) {
				if (part.kind === "heading") this.addHeading(part.level + level, { text: part.text, place });
				else
					addPieces([{ text: part.text, place, separator: "" }], { lead: part.lead, splitAt: part.splitAt });
			}
		},
		finish: (title) => ({ title: title?.trim() || undefined, text: texts.join(BLOCK_SEPARATOR), parts }),
	};
}

interface SeparatedText extends ExtractedText {
	/** Text between this piece and the one before it. */
	readonly separator: string;
}

const toCells = (row: readonly ExtractedText[]): SeparatedText[] =>
	row.map((cell, index) => ({
		...cell,
		text: cell.text.replace(/\s+/gu, " "),
		separator: index === 0 ? "\n" : CELL_SEPARATOR,
	}));

function* toTablePieces(
	...parts: readonly Iterable<readonly ExtractedText[]>[]
): Generator<SeparatedText, void, undefined> {
	for (const rows of parts)
		for (const row of rows) if (row.some(({ text }) => text.trim() !== "")) yield* toCells(row);
}

/** Line of a row as it is in the text; empty where all of its cells are. */
const toLine = (row: readonly ExtractedText[]): string => toRuns(toCells(row)).text;

/**
 * Joins pieces to a text; an empty one leaves its separator alone, so that cells stay in their columns.
 *
 * @param start - offset of the text in the document's.
 */
function toRuns(pieces: Iterable<SeparatedText>, start = 0): { text: string; runs: TextRun[] } {
	let text = "";
	const runs: TextRun[] = [];
	let pending = "";
	for (const { text: raw, place, separator } of pieces) {
		const piece = raw.trim();
		pending = separator === CELL_SEPARATOR ? pending + separator : separator;
		if (piece === "") continue;
		text += runs.length === 0 ? pending.trimStart() : pending;
		pending = "";
		const { length: offset } = text;
		text += piece;
		runs.push({ offset, length: piece.length, start: start + offset, end: start + text.length, place });
	}
	return { text, runs };
}
