import type { Citation } from "@stemma/core";
import { isSupported } from "./citation-support";
import type { RetrievedPassage } from "./ports";

/** Text with run-wide citation numbers on its way to text with the answer's own. Plain data. */
export interface CitationState {
	/** All that was given out so far. */
	text: string;
	/** The passages cited so far, numbered from 1 by first appearance. */
	readonly citations: Citation[];
	/** Run-wide numbers by the answer's own, from 1. */
	readonly numbers: number[];
	/** What may still become a mark. */
	held: string;
	/** The end of `text`, for the sentence that a mark stands in. */
	tail: string;
	/** The run of backticks or tildes that opened the code that the text is in; empty for prose. */
	code: string;
}

export function createCitationState(): CitationState {
	return { text: "", citations: [], numbers: [], held: "", tail: "", code: "" };
}

/** A finished mark with the blank before it (but not a link), or what tells code from prose. */
const TOKEN = /([\t ]?)\[\s*(\d{1,6}(?:\s*[,;]\s*\d{1,6})*)\s*\](?!\()|`+|~{3,}|\n/g;
/** The beginning of a mark, or a whole one that may still turn out to be a link. */
const OPEN_MARK = /^\[[\d\s,;]*\]?$/;
const LONGEST_MARK = 64;
/** From here on a number that is not known is more likely a year than a passage. */
const SMALLEST_YEAR = 1000;
const SENTENCE_END = /[.!?](?=\s)|[。！？]|\n/g;
const LONGEST_SENTENCE = 1000;

/**
 * Takes the next piece of text and gives the part of the answer that can be sent now: numbers mapped to 1..k by first
 * appearance, marks with unknown numbers dropped. Code, links and years stay as they are, and so does all text while
 * nothing was retrieved. What was given out is never changed; how the text is cut makes no difference.
 *
 * @param passages - the passages of the run, by number from 1.
 */
export function reduceCitations(
	state: CitationState,
	passages: readonly RetrievedPassage[],
	text: string,
): string {
	if (passages.length === 0) return give(state, text);
	const all = state.held + text;
	const end = findUnfinished(all);
	state.held = all.slice(end);
	return citeMarks(state, passages, all.slice(0, end));
}

/** The end of the text: gives what was held back. Code that was not closed ends here. */
export function endCitations(state: CitationState, passages: readonly RetrievedPassage[]): string {
	const rest = state.held;
	state.held = "";
	const given = rest === "" ? "" : citeMarks(state, passages, rest);
	state.code = "";
	return given;
}

/**
 * A whole text with other marks in place of its own: `toMark` gives what stands for one number, or `undefined` for a
 * number that is not known. Code, links and years stay as they are.
 *
 * @param toUnknown - what stands for a number that is not known.
 */
export function renumberMarks(
	text: string,
	toMark: (number: number) => string | undefined,
	toUnknown: (number: number) => string,
): string {
	return replaceMarks(createCitationState(), text, ({ mark, blank, numbers }) => {
		const marks = numbers.map(toMark);
		if (marks.every((one) => one === undefined) && numbers.some(isYear)) return mark;
		return blank + marks.map((one, index) => one ?? toUnknown(numbers[index] ?? 0)).join("");
	});
}

interface Mark {
	/** All of it, with the blank before. */
	readonly mark: string;
	readonly blank: string;
	readonly numbers: readonly number[];
}

function give(state: CitationState, text: string): string {
	state.text += text;
	state.tail = (state.tail + text).slice(-LONGEST_SENTENCE);
	return text;
}

function citeMarks(state: CitationState, passages: readonly RetrievedPassage[], text: string): string {
	return replaceMarks(state, text, (mark) => citeMark(state, passages, mark));
}

function replaceMarks(state: CitationState, text: string, replace: (mark: Mark) => string): string {
	let given = "";
	let from = 0;
	for (const { 0: token, 1: blank = "", 2: list, index } of text.matchAll(TOKEN)) {
		given += give(state, text.slice(from, index));
		from = index + token.length;
		if (list === undefined) trackCode(state, token);
		const isMark = list !== undefined && state.code === "" && token.length - blank.length <= LONGEST_MARK;
		const numbers = isMark ? list.split(/[,;]/).map(Number) : [];
		given += give(state, isMark ? replace({ mark: token, blank, numbers }) : token);
	}
	return given + give(state, text.slice(from));
}

/** Backticks or tildes open code, and as many of them close it; inline code ends with its line at the latest. */
function trackCode(state: CitationState, token: string): void {
	if (token === "\n") state.code = state.code.length >= 3 ? state.code : "";
	else if (state.code === "") state.code = token;
	else if (state.code === token) state.code = "";
}

function citeMark(
	state: CitationState,
	passages: readonly RetrievedPassage[],
	{ mark, blank, numbers }: Mark,
): string {
	const sentence = lastSentence(state.tail);
	const cited = numbers.flatMap((number) => {
		const passage = passages[number - 1];
		return passage === undefined ? [] : [cite(state, number, passage, sentence)];
	});
	if (cited.length > 0) return blank + cited.join("");
	return numbers.some(isYear) ? mark : "";
}

const isYear = (number: number): boolean => number >= SMALLEST_YEAR;

function cite(state: CitationState, number: number, passage: RetrievedPassage, sentence: string): string {
	const { numbers, citations } = state;
	if (!numbers.includes(number)) numbers.push(number);
	const n = numbers.indexOf(number) + 1;
	const { passage_id, document_id, title, place, text } = passage;
	const supported = citations[n - 1]?.support === "supported" || isSupported(sentence, passage);
	const support = supported ? "supported" : "weak";
	citations[n - 1] = { n, passage_id, document_id, title, place, text, support };
	return `[${n}]`;
}

/** Where the end of the text begins that may still become a mark, a link or a longer run of backticks. */
function findUnfinished(text: string): number {
	const bracket = text.lastIndexOf("[");
	let end = text.length;
	if (bracket !== -1 && end - bracket <= LONGEST_MARK && OPEN_MARK.test(text.slice(bracket))) end = bracket;
	else while (end > 0 && (text[end - 1] === "`" || text[end - 1] === "~")) end--;
	const mayBeBlankOfMark = end === bracket || end === text.length;
	return mayBeBlankOfMark && (text[end - 1] === " " || text[end - 1] === "\t") ? end - 1 : end;
}

/** The sentence that a mark at the end of `text` stands in or right behind, without earlier marks. */
function lastSentence(text: string): string {
	const body = text.replace(/(\[\d+\])+/g, "").trimEnd();
	let start = 0;
	for (const end of body.matchAll(SENTENCE_END)) if (end.index + 1 < body.length) start = end.index + 1;
	return body.slice(start);
}
