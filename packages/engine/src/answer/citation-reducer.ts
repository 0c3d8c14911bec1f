import type { Citation } from "@stemma/core";
import type { RetrievedPassage } from "../io/ports";
import { isSupported } from "./citation-support";

/** Text with run-wide citation numbers on its way to text with the answer's own. Plain data. */
export interface CitationState {
	/** All that was given out so far. */
	text: string;
	/** The passages cited so far, numbered from 1 by first appearance. */
	readonly citations: Citation[];
	/** Run-wide numbers by the answer's own, from 1. */
	readonly numbers: number[];
	/** Text that may still become a mark. */
	held: string;
	/** The end of `text`, at least its last 1,000 characters, for the sentence that a mark stands in. */
	tail: string;
	/** The run of backticks or tildes that opened the code that the text is in; empty for prose. */
	code: string;
	/** A backtick or a tilde while the text ends with a run of them, which may still grow; else empty. */
	fence: string;
	/** Characters of that run so far. */
	fenceLength: number;
	/** Sentences that were compared with the passage that they cite. */
	compared: number;
}

export function createCitationState(): CitationState {
	return {
		text: "",
		citations: [],
		numbers: [],
		held: "",
		tail: "",
		code: "",
		fence: "",
		fenceLength: 0,
		compared: 0,
	};
}

/** A finished mark with the blank before it (but not a link), or what tells code from prose. */
const TOKEN = /([\t ]?)\[\s*(\d{1,6}(?:\s*[,;]\s*\d{1,6})*)\s*\](?!\()|`+|~{3,}|\n/g;
/** The beginning of a mark, or a whole one that may still turn out to be a link. */
const OPEN_MARK = /^\[[\d\s,;]*\]?$/;
const MAX_MARK_CHARACTERS = 64;
/** Lowest unknown number that is more likely a year than a passage. */
const MIN_YEAR = 1000;
const SENTENCE_END = /[.!?](?=\s)|[。！？]|\n/g;
const MAX_SENTENCE_CHARACTERS = 1000;
/** Characters that the tail may have before it is cut: a cut for every piece would copy it for every piece. */
const MAX_TAIL_CHARACTERS = 4 * MAX_SENTENCE_CHARACTERS;
/** Sentences of one answer that are compared with what they cite. What is cited first behind them counts as weak. */
const MAX_COMPARISONS = 2000;

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
	if (passages.length === 0) return append(state, text);
	const start = continueFence(state, text);
	if (start === text.length) return append(state, text);
	const fence = append(state, text.slice(0, start));
	const all = state.held + text.slice(start);
	const end = findUnfinished(all);
	const fenceStart = end === all.length ? findFence(all) : end;
	state.held = all.slice(end);
	const cited = citeMarks(state, passages, all.slice(0, fenceStart));
	return fence + cited + openFence(state, all.slice(fenceStart, end));
}

/** The end of the text: gives what was held back. Code that was not closed ends here. */
export function flushCitations(state: CitationState, passages: readonly RetrievedPassage[]): string {
	const rest = state.held;
	state.held = "";
	const output = rest === "" ? "" : citeMarks(state, passages, rest);
	state.code = "";
	state.fence = "";
	state.fenceLength = 0;
	return output;
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

function append(state: CitationState, text: string): string {
	state.text += text;
	state.tail += text;
	if (state.tail.length > MAX_TAIL_CHARACTERS) state.tail = state.tail.slice(-MAX_SENTENCE_CHARACTERS);
	return text;
}

function citeMarks(state: CitationState, passages: readonly RetrievedPassage[], text: string): string {
	return replaceMarks(state, text, (mark) => citeMark(state, passages, mark));
}

function replaceMarks(state: CitationState, text: string, replace: (mark: Mark) => string): string {
	let output = "";
	let from = 0;
	for (const { 0: token, 1: blank = "", 2: list, index } of text.matchAll(TOKEN)) {
		output += append(state, text.slice(from, index));
		from = index + token.length;
		if (list === undefined) trackCode(state, token);
		const isMark =
			list !== undefined && state.code === "" && token.length - blank.length <= MAX_MARK_CHARACTERS;
		const numbers = isMark ? list.split(/[,;]/).map(Number) : [];
		output += append(state, isMark ? replace({ mark: token, blank, numbers }) : token);
	}
	return output + append(state, text.slice(from));
}

/** Continues a sequence of backticks or tildes. Returns the index in `text` where the sequence ends. */
function continueFence(state: CitationState, text: string): number {
	if (state.fence === "") return 0;
	let end = 0;
	while (text[end] === state.fence) end++;
	state.fenceLength += end;
	if (end < text.length) closeFence(state);
	return end;
}

/** Handles a complete sequence of backticks or tildes, which another character follows. Two tildes are no fence. */
function closeFence(state: CitationState): void {
	const { fence, fenceLength } = state;
	if (fence === "`" || fenceLength > 2) trackCode(state, fence.repeat(fenceLength));
	state.fence = "";
	state.fenceLength = 0;
}

/** Begins a run at the end of a piece. It is given out at once: only its length is not known yet. */
function openFence(state: CitationState, run: string): string {
	state.fence = run.slice(0, 1);
	state.fenceLength = run.length;
	return append(state, run);
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
	const sentence = once(() => lastSentence(state.tail.slice(-MAX_SENTENCE_CHARACTERS)));
	const cited = numbers.flatMap((number) => {
		const passage = passages[number - 1];
		return passage === undefined ? [] : [cite(state, number, passage, sentence)];
	});
	if (cited.length > 0) return blank + cited.join("");
	return numbers.some(isYear) ? mark : "";
}

const isYear = (number: number): boolean => number >= MIN_YEAR;

function cite(
	state: CitationState,
	number: number,
	passage: RetrievedPassage,
	sentence: () => string,
): string {
	const { numbers, citations } = state;
	if (!numbers.includes(number)) numbers.push(number);
	const n = numbers.indexOf(number) + 1;
	const { passage_id, document_id, title, place, text } = passage;
	if (citations[n - 1]?.support !== "supported") {
		const isCompared = state.compared < MAX_COMPARISONS;
		state.compared += isCompared ? 1 : 0;
		const support = isCompared && isSupported(sentence(), passage) ? "supported" : "weak";
		citations[n - 1] = { n, passage_id, document_id, title, place, text, support };
	}
	return `[${n}]`;
}

/** Reads a value when it is first asked for, and keeps it. */
function once<Value>(read: () => Value): () => Value {
	let known: { readonly value: Value } | undefined;
	return () => {
		known ??= { value: read() };
		return known.value;
	};
}

/** Finds where the end of the text begins that may still become a mark or a link. */
function findUnfinished(text: string): number {
	const bracket = text.lastIndexOf("[");
	const isOpen =
		bracket !== -1 && text.length - bracket <= MAX_MARK_CHARACTERS && OPEN_MARK.test(text.slice(bracket));
	const end = isOpen ? bracket : text.length;
	return text[end - 1] === " " || text[end - 1] === "\t" ? end - 1 : end;
}

/**
 * Finds where the run of backticks or tildes begins that the text ends with. Default: the end of the text, if there is
 * none.
 */
function findFence(text: string): number {
	const last = text[text.length - 1];
	let start = text.length;
	if (last === "`" || last === "~") while (start > 0 && text[start - 1] === last) start--;
	return start;
}

/** The sentence that a mark at the end of `text` stands in or right behind, without earlier marks. */
function lastSentence(text: string): string {
	const body = text.replace(/(\[\d+\])+/g, "").trimEnd();
	let start = 0;
	for (const end of body.matchAll(SENTENCE_END)) if (end.index + 1 < body.length) start = end.index + 1;
	return body.slice(start);
}
