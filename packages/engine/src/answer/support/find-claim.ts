import { splitWords } from "./normalize";
import { findSentenceEnds } from "./split-sentences";

/** Position of marks that stand side by side: `[1][2]`. */
export interface MarkGroup {
	readonly start: number;
	readonly end: number;
	/** End of the marks before, or of the text before. */
	readonly previousEnd: number;
}

const MAX_CLAIM_CHARACTERS = 1000;
const MARKS = /(?:\[\d+\])+/g;
const LIST_MARKER = /^\s*(?:[-*•+]|\d{1,3}[.)])\s+/;
/** Words that a part of a sentence needs to be a claim of its own. */
const MIN_CLAIM_WORDS = 2;

/**
 * Finds the part of an answer that a mark stands for, to the letter: what is before it in its sentence, since the mark
 * before; the sentence before, for a mark behind its full stop; what follows, for a mark at the beginning ("[1] says …").
 */
export function findClaim(text: string, { start, end, previousEnd }: MarkGroup): string {
	const sentenceStart = findSentenceStart(text, start);
	const partStart = Math.max(previousEnd, sentenceStart);
	const part = text.slice(partStart, start);
	const restEnd = findRestEnd(text, end);
	const rest = text.slice(end, restEnd);
	const isLast = text[restEnd] !== "[";
	if (isLineStart(text, start) && hasWords(rest)) return tidy(rest);
	if (hasWords(part)) return tidy(isLast && isLeadIn(part, rest) ? text.slice(partStart, restEnd) : part);
	const sentence = text.slice(sentenceStart, start);
	return tidy(hasWords(sentence) ? sentence : text.slice(partStart, restEnd));
}

/** Start of the sentence that a mark stands in or right behind. */
function findSentenceStart(text: string, start: number): number {
	const from = Math.max(0, start - MAX_CLAIM_CHARACTERS);
	// Other marks end no sentence.
	const before = text
		.slice(from, start)
		.replace(MARKS, (mark) => " ".repeat(mark.length))
		.trimEnd();
	const ends = findSentenceEnds(`${before} `).filter((at) => at < before.length);
	return from + (ends.at(-1) ?? 0);
}

const tidy = (claim: string): string => claim.replace(LIST_MARKER, "").trim();

const hasWords = (text: string): boolean =>
	splitWords(text.replace(MARKS, "")).join("").length > 3 && countWords(text) >= MIN_CLAIM_WORDS;

/** Words, or pairs of characters of text without blanks. */
const countWords = (text: string): number =>
	splitWords(text).reduce(
		(sum, word) => sum + (/[\u0e00-\u0eff\u3040-\u9fff\uac00-\ud7af]/.test(word) ? word.length / 2 : 1),
		0,
	);

/** A mark at the beginning of a line, before its text. */
const isLineStart = (text: string, start: number): boolean =>
	/(?:^|\n)[\s>*•-]*$/.test(text.slice(Math.max(0, start - 20), start));

/** "According to [1], …": few words before a mark in the middle of a sentence. */
const MAX_LEAD_IN_WORDS = 3;
const isLeadIn = (part: string, rest: string): boolean =>
	countWords(part) <= MAX_LEAD_IN_WORDS && /^,?\s+\p{Ll}/u.test(rest);

/** End of what follows a mark, up to the next mark or the end of the sentence. */
function findRestEnd(text: string, end: number): number {
	const rest = text.slice(end, end + MAX_CLAIM_CHARACTERS);
	const nextMark = rest.search(/\[\d+\]/);
	const sentenceEnd = findSentenceEnds(`${rest} `)[0] ?? rest.length;
	return end + (nextMark === -1 ? sentenceEnd : Math.min(nextMark, sentenceEnd));
}
