import type { SourceRange, TextBlock, TextRun } from "./document-part";
import { type LinkWords, toLinkWords } from "./words/link-words";

/** Collects the text of one block together with where in the source it stands. */
export interface BlockBuilder {
	/** Adds running text; each stretch of blanks and line ends becomes one blank. */
	add(value: string, range: SourceRange): void;
	/** Adds what the address of a link says; the text of the link comes next. */
	addLink(address: string): void;
	/** Adds a blank, so that the next text is a word of its own. */
	addBlank(): void;
	/** Adds text whose line ends and indents are kept, as in code. */
	addLines(value: string, range: SourceRange): void;
	/** Starts a line, after `prefix`, for the next text. Nothing is written if no text follows. */
	startLine(prefix?: string): void;
	/** Starts a line for the next text, unless it already begins one. */
	breakLine(indent?: string): void;
	/** Adds `separator` before the next text. */
	addSeparator(separator: string): void;
	/** The block, unless it is empty; the builder begins anew. */
	finish(): TextBlock | undefined;
}

/**
 * Maximum distance in the source at which a word, or a line, is still matched after the one before it, in characters.
 */
const MAX_WORD_GAP = 64;
const MAX_LINE_GAP = 1000;
const NON_BLANK = /\S/g;
/** Blank with another one, or nothing, behind it. */
const END_OF_WORDS = /\s(?=\s|$)/g;
const OTHER_BLANK = /[^\S ]/u;
const OTHER_BLANKS = /[^\S ]/gu;

export function createBlockBuilder(source: string): BlockBuilder {
	let text = "";
	let pending = "";
	let runs: TextRun[] = [];
	let linkWords: LinkWords[] = [];

	function addRun(piece: string, start: number, end: number): void {
		text += text === "" ? pending.trimStart() : pending;
		pending = "";
		runs.push({ offset: text.length, length: piece.length, start, end });
		text += piece;
	}

	/** Adds pieces that do not stand in the source as they are: entities, escapes, marks of a quotation before them. */
	function addLocated(pieces: readonly string[], joiner: string, range: SourceRange, maxGap: number): void {
		locateAll(source, pieces, range, maxGap).forEach((located, index) => {
			if (index > 0) pending += joiner;
			if (located !== undefined) addRun(pieces[index] ?? "", located.start, located.end);
		});
	}

	/** Adds the words of a text that stands in the source as it is; those with one blank between them as one run. */
	function addExact(value: string, start: number): void {
		for (let index = 0; index < value.length; ) {
			const from = skipBlanks(value, index);
			if (from > index) pending ||= " ";
			index = skipWords(value, from);
			if (index === from) continue;
			const words = value.slice(from, index);
			addRun(OTHER_BLANK.test(words) ? words.replace(OTHER_BLANKS, " ") : words, start + from, start + index);
		}
	}

	/** Adds the words of a text that has entities or escapes in the source. */
	function addTranslated(value: string, range: SourceRange): void {
		if (value !== value.trimStart()) pending ||= " ";
		addLocated(value.match(/\S+/gu) ?? [], " ", range, MAX_WORD_GAP);
		if (value !== value.trimEnd()) pending ||= " ";
	}

	return {
		add(value, range) {
			const { start, end } = range;
			if (end - start === value.length && source.startsWith(value, start)) addExact(value, start);
			else addTranslated(value, range);
		},
		addLink(address) {
			const words = toLinkWords(address);
			if (words.length > 0) linkWords.push({ offset: text === "" ? 0 : text.length + pending.length, words });
		},
		addBlank() {
			pending ||= " ";
		},
		addLines(value, range) {
			const lines = value.split(/\r?\n/u).map((line) => line.trimEnd());
			addLocated(lines, "\n", range, MAX_LINE_GAP);
		},
		startLine(prefix = "") {
			pending = `\n${prefix}`;
		},
		breakLine(indent = "") {
			if (!pending.startsWith("\n")) pending = `\n${indent}`;
		},
		addSeparator(separator) {
			pending = pending === " " ? separator : pending + separator;
		},
		finish() {
			pending = "";
			const block = toBlock(text, runs);
			const links = linkWords;
			text = "";
			runs = [];
			linkWords = [];
			return block && links.length > 0 ? { ...block, linkWords: links } : block;
		},
	};
}

function toBlock(text: string, runs: readonly TextRun[]): TextBlock | undefined {
	const [first, last] = [runs[0], runs.at(-1)];
	return first && last && { kind: "block", text, runs, start: first.start, end: last.end };
}

/** Offset of the first character at or after `start` that is not blank; the end of the text where there is none. */
const skipBlanks = (text: string, start: number): number => findFrom(NON_BLANK, text, start);

/** End of the words at an offset that have one blank between them. */
const skipWords = (text: string, start: number): number => findFrom(END_OF_WORDS, text, start);

/**
 * Offset of the first match of one character at or after `start`; the end of the text where there is none. Strings come in
 * many forms inside V8 (flat, cut, joined, of one or two bytes): a loop over the characters of all of them takes twice the
 * time of a regular expression.
 */
function findFrom(character: RegExp, text: string, start: number): number {
	character.lastIndex = start;
	return character.test(text) ? character.lastIndex - 1 : text.length;
}

/** Places of pieces that follow one another in the source, for each that is not blank. */
function locateAll(
	source: string,
	pieces: readonly string[],
	{ start, end }: SourceRange,
	maxGap: number,
): (SourceRange | undefined)[] {
	let from = start;
	return pieces.map((piece) => {
		if (piece.trim() === "") return undefined;
		const located = locate(source, piece, { start: from, end }, maxGap);
		from = located.end;
		return located;
	});
}

function locate(source: string, piece: string, { start, end }: SourceRange, maxGap: number): SourceRange {
	if (source.startsWith(piece, start) && start + piece.length <= end)
		return { start, end: start + piece.length };
	const found = source.slice(start, Math.min(end, start + maxGap + piece.length)).indexOf(piece);
	const from = found === -1 ? start : start + found;
	return { start: from, end: Math.max(from, Math.min(end, from + piece.length)) };
}
