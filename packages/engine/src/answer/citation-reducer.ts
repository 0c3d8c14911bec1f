import type { Citation } from "@stemma/core";
import type { RetrievedPassage } from "../io/ports";
import { type CitationState, createCitationState } from "./citation-state";
import { judgeCitations } from "./judge-citations";

/**
 * A finished mark with the blank before it (but not a link), or what tells code from prose. Models write `[1]`, `[1, 2]`,
 * `[1-3]`, `[^1]` and `【1】`, also with what some put behind the number: `【1†source】`.
 */
const TOKEN =
	/([\t ]?)(?:\[\s*\^?(\d{1,6}(?:\s*[,;–-]\s*\^?\d{1,6})*)\s*\](?!\()|[【［]\s*(\d{1,6}(?:\s*[,;、，–-]\s*\d{1,6})*)\s*(?:†[^】］\n[]{0,40})?[】］])|`+|~{3,}|\n/g;
/** A character that such a token has; most pieces of text have none, and need no search for tokens. */
const TOKEN_CHARACTER = /[[【［`~\n]/;
/** The beginning of a mark, or a whole one that may still turn out to be a link. */
const OPEN_MARK = /^(?:\[[\d\s,;^–-]*\]?|[【［][\d\s,;、，–-]*(?:†[^】］\n[]*)?)$/;
const MAX_MARK_CHARACTERS = 64;
/** Numbers that a range may have. */
const MAX_RANGE = 20;
/** Lowest unknown number that is more likely a year than a passage. */
const MIN_YEAR = 1000;
/** Claims of one answer that are compared with what they cite. What is cited first behind them counts as weak. */
const MAX_COMPARISONS = 2000;
const MAX_UNKNOWN = 100;

/**
 * Takes the next piece of text and gives the part of the answer that can be sent now: numbers mapped to 1..k by first
 * appearance, marks with unknown numbers dropped and noted. Code, links and years stay as they are, and so does all text while
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

/** The end of the text: gives what was held back, and compares its claims. Code that was not closed ends here. */
export function flushCitations(state: CitationState, passages: readonly RetrievedPassage[]): string {
	const rest = state.held;
	state.held = "";
	const output = rest === "" ? "" : citeMarks(state, passages, rest);
	state.code = "";
	state.fence = "";
	state.fenceLength = 0;
	judgeCitations(state, passages);
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
	return text;
}

function citeMarks(state: CitationState, passages: readonly RetrievedPassage[], text: string): string {
	return replaceMarks(state, text, (mark) => citeMark(state, passages, mark));
}

function replaceMarks(state: CitationState, text: string, replace: (mark: Mark) => string): string {
	if (!TOKEN_CHARACTER.test(text)) return append(state, text);
	let output = "";
	let from = 0;
	for (const { 0: token, 1: blank = "", 2: square, 3: lenticular, index } of text.matchAll(TOKEN)) {
		const list = square ?? lenticular;
		output += append(state, text.slice(from, index));
		from = index + token.length;
		if (list === undefined) trackCode(state, token);
		const isMark =
			list !== undefined && state.code === "" && token.length - blank.length <= MAX_MARK_CHARACTERS;
		const numbers = isMark ? readNumbers(list) : [];
		output += append(state, isMark ? replace({ mark: token, blank, numbers }) : token);
	}
	return output + append(state, text.slice(from));
}

/** The numbers of a mark; `1-3` is three of them. */
function readNumbers(list: string): number[] {
	return list.split(/[,;、，]/).flatMap((part) => {
		const [first = 0, last = first] = part.split(/[–-]/).map((number) => Number(number.replace("^", "")));
		const count = last - first + 1;
		if (count < 1 || count > MAX_RANGE) return [first, last];
		return Array.from({ length: count }, (_, index) => first + index);
	});
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
	const known = [...new Set(numbers)].flatMap((number) => {
		const passage = passages[number - 1];
		return passage === undefined ? [] : [{ number, passage }];
	});
	if (known.length === 0 && numbers.some(isYear)) return mark;
	noteUnknown(state, passages, numbers);
	let at = state.text.length + blank.length;
	const cited = known.map(({ number, passage }) => {
		const written = cite(state, { number, passage, at });
		at += written.length;
		return written;
	});
	return cited.length === 0 ? "" : blank + cited.join("");
}

const isYear = (number: number): boolean => number >= MIN_YEAR;

function noteUnknown(
	{ unknown }: CitationState,
	passages: readonly RetrievedPassage[],
	numbers: readonly number[],
): void {
	for (const number of numbers)
		if (passages[number - 1] === undefined && unknown.length < MAX_UNKNOWN && !unknown.includes(number))
			unknown.push(number);
}

interface CitedPassage {
	readonly number: number;
	readonly passage: RetrievedPassage;
	/** Offset of the mark in the answer. */
	readonly at: number;
}

function cite(state: CitationState, { number, passage, at }: CitedPassage): string {
	const { numbers, citations } = state;
	if (!numbers.includes(number)) numbers.push(number);
	const n = numbers.indexOf(number) + 1;
	const isCompared = state.compared < MAX_COMPARISONS;
	citations[n - 1] ??= toCitation(n, passage, isCompared ? "quoted" : "weak");
	if (isCompared) {
		state.compared += 1;
		state.marks.push({ n, at });
	}
	return `[${n}]`;
}

/** @param support - the best that it can be, until its claims are compared. */
function toCitation(n: number, passage: RetrievedPassage, support: Citation["support"]): Citation {
	const { passage_id, document_id, source, url, title, metadata, place, text } = passage;
	return {
		n,
		passage_id,
		document_id,
		...(typeof source === "string" && { source }),
		...(url !== undefined && { url }),
		title,
		...(metadata !== undefined && { metadata }),
		place,
		text,
		support,
	};
}

/** Finds where the end of the text begins that may still become a mark or a link. */
function findUnfinished(text: string): number {
	const bracket = Math.max(text.lastIndexOf("["), text.lastIndexOf("【"), text.lastIndexOf("［"));
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
