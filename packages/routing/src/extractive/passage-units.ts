import type { SourcePassage } from "./parse-passages";
import { splitSentences, type TextRange } from "./split-sentences";

/** A part of a passage that is quoted as a whole: a sentence, a list with its announcement, a row of a table. */
export interface PassageUnit extends TextRange {
	/** Text as in the passage; the cells of a row each with the header of their column. */
	readonly text: string;
	/** The line that announces it, or the heading above it. */
	readonly introduction: string;
	/** True for the sentence behind a question, which it answers whatever its own words. */
	readonly isReply: boolean;
}

const LIST_MARK = /^(?:[-*+•]|\d{1,3}[.)])\s+/;
const ANNOUNCES = /[:：]["”’»*_]*$/;
const ASKS = /[?？؟]["”’»)]*$/;
/** A sentence that announces a list or a command is quoted with as much of it as fits. */
const MAX_ANNOUNCED_CHARACTERS = 300;
const CELL_SEPARATOR = " | ";
/** Row in pipes, as in Markdown. */
const PIPED_ROW = /^\|\s(.*)\s\|$/;
/** Line of Markdown between the header of a table and its rows. */
const RULE = /^\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?)?$/;
/** First rows of tables that go on from another page: they name no columns. */
const STARTS_WITH_NUMBER = /^\s*\p{N}/u;

/** The parts of a passage that can be quoted, in order. */
export function toPassageUnits({ text, heading }: SourcePassage): PassageUnit[] {
	const findHeader = createHeaderFinder(text);
	const ranges = splitSentences(text).filter(({ start, end }) => !RULE.test(text.slice(start, end)));
	const lastHeading = heading.split(" › ").at(-1) ?? "";
	let introduction = lastHeading;
	let isReply = ASKS.test(lastHeading);
	return ranges.flatMap((range, index): PassageUnit[] => {
		const sentence = text.slice(range.start, range.end);
		const header = findHeader(range.start);
		if (header === sentence) return [];
		if (header !== undefined)
			return [{ ...range, text: toNamedCells(header, sentence), introduction: lastHeading, isReply: false }];
		if (startsParagraph(text, ranges[index - 1], range)) introduction = lastHeading;
		const announces = ANNOUNCES.test(sentence);
		const end = announces ? findAnnouncedEnd(text, ranges.slice(index)) : range.end;
		const unitText = text.slice(range.start, end).replace(LIST_MARK, "");
		const unit = { start: range.start, end, text: unitText, introduction, isReply };
		isReply = ASKS.test(sentence);
		if (announces || isReply) introduction = sentence.replace(LIST_MARK, "");
		return [unit];
	});
}

/** Checks whether a sentence begins a paragraph that nothing before it announces or asks for. */
function startsParagraph(text: string, previous: TextRange | undefined, { start }: TextRange): boolean {
	if (previous === undefined || LIST_MARK.test(text.slice(start, start + 10))) return false;
	const before = text.slice(previous.start, previous.end);
	return text.slice(previous.end, start).includes("\n\n") && !ANNOUNCES.test(before) && !ASKS.test(before);
}

/** End of the list, or of the one paragraph, that follows an announcement. */
function findAnnouncedEnd(text: string, [announcement, ...following]: readonly TextRange[]): number {
	let last = announcement;
	for (const [index, range] of following.entries()) {
		if (announcement === undefined || range.end - announcement.start > MAX_ANNOUNCED_CHARACTERS) break;
		const isItem = LIST_MARK.test(text.slice(range.start));
		const isSameBlock = !text.slice(last?.end, range.start).includes("\n\n");
		if (index > 0 && !isItem && !isSameBlock) break;
		last = range;
	}
	return last?.end ?? 0;
}

/** Creates the function that finds the header of the table whose row begins at a position; a header is its own. */
function createHeaderFinder(text: string): (start: number) => string | undefined {
	const headers = new Map<number, string>();
	const lines = readTableLines(text);
	let header: string | undefined;
	for (const [index, { line, start }] of lines.entries()) {
		const cells = toCells(line).length;
		if (header !== undefined && toCells(header).length !== cells) header = undefined;
		const next = lines[index + 1]?.line ?? "";
		if (cells > 1 && !STARTS_WITH_NUMBER.test(line) && toCells(next).length === cells) header ??= line.trim();
		if (header !== undefined) headers.set(start + line.search(/\S|$/), header);
	}
	return (at) => headers.get(at);
}

/** The lines of a text and where they start, without those between header and rows. */
function readTableLines(text: string): { readonly line: string; readonly start: number }[] {
	let end = 0;
	return text.split("\n").flatMap((line) => {
		const start = end;
		end += line.length + 1;
		return RULE.test(line.trim()) ? [] : [{ line, start }];
	});
}

const toCells = (row: string): readonly string[] =>
	row
		.trim()
		.replace(PIPED_ROW, "$1")
		.split(CELL_SEPARATOR)
		.map((cell) => cell.trim());

/** A row as `column: value`; a cell whose column has no name stands by itself. */
function toNamedCells(header: string, row: string): string {
	const names = toCells(header);
	return toCells(row)
		.map((cell, index) => (names[index] ? `${names[index]}: ${cell}` : cell))
		.join(CELL_SEPARATOR);
}
