import { splitSentences } from "@stemma/routing/extractive";
import { listPlaces, type SourceRange, type TextBlock, toSourceRange } from "../document-part";
import type { OriginalPlace } from "../original-place";

/**
 * Part of a document that is never cut: a whole block, or a sentence or line of a block that is too long for one
 * passage.
 */
export interface PassageUnit extends SourceRange {
	readonly text: string;
	readonly words: number;
	/** Text between this unit and the one before it, if both are in the same passage. */
	readonly separator: string;
	/** Places in the file, in reading order. */
	readonly places: readonly OriginalPlace[];
	/** Words of its links, which its text need not have. */
	readonly linkWords: readonly string[];
	/** Lines that come before this unit where it begins a passage. */
	readonly lead?: string | undefined;
}

const BLOCK_SEPARATOR = "\n\n";
/** A sentence longer than this (a table without line ends, a word list) is cut between words all the same. */
const MAX_SENTENCE_WORDS = 600;
/** Up to two characters of the scripts without blanks, or 20 of the others, count as a word. */
const WORD =
	/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{1,2}|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{1,20}/gu;
/** Words of a text without {@link UNSPACED}, as {@link WORD} finds them. */
const SPACED_WORD = /\S{1,20}/g;
/** Code units of scripts without blanks, and halves of characters. */
const UNSPACED = /[\u2e80-\uffff]/;

/** Words of a text, in any script. */
export function countWords(text: string): number {
	const word = UNSPACED.test(text) ? WORD : SPACED_WORD;
	word.lastIndex = 0;
	let count = 0;
	while (word.test(text)) count++;
	return count;
}

/** The units of a block of up to `maxWords`, or of a longer one. */
export function toUnits(block: TextBlock, maxWords: number): PassageUnit[] {
	const { text, splitAt, start, end } = block;
	const words = countWords(text);
	if (words <= maxWords) {
		const range = { start: 0, end: text.length };
		const places = listPlaces(block, range);
		const linkWords = listLinkWords(block, range);
		return [{ text, start, end, words, separator: BLOCK_SEPARATOR, places, linkWords }];
	}
	const pieces = splitAt === "line" ? splitLines(text) : splitSentences(text);
	const ranges = pieces.flatMap((range) => splitLongSentence(text, range, maxWords));
	return ranges.map((range, index) => {
		if (index === 0) return toUnit(block, range, BLOCK_SEPARATOR);
		return toUnit(block, range, text.slice(ranges[index - 1]?.end, range.start), block.lead);
	});
}

function toUnit(block: TextBlock, range: SourceRange, separator: string, lead?: string): PassageUnit {
	const text = block.text.slice(range.start, range.end);
	const places = listPlaces(block, range);
	const linkWords = listLinkWords(block, range);
	return {
		text,
		...toSourceRange(block, range),
		words: countWords(text),
		separator,
		places,
		linkWords,
		lead,
	};
}

const listLinkWords = ({ linkWords = [] }: TextBlock, { start, end }: SourceRange): string[] =>
	linkWords.flatMap(({ offset, words }) => (offset >= start && offset <= end ? words : []));

const splitLines = (text: string): SourceRange[] =>
	[...text.matchAll(/[^\n]+/gu)].map(({ 0: line, index }) => ({ start: index, end: index + line.length }));

function splitLongSentence(text: string, range: SourceRange, maxWords: number): SourceRange[] {
	if (range.end - range.start <= MAX_SENTENCE_WORDS) return [range];
	const sentence = text.slice(range.start, range.end);
	if (countWords(sentence) <= MAX_SENTENCE_WORDS) return [range];
	const pieceRanges: SourceRange[] = [];
	let from = 0;
	let count = 0;
	let end = 0;
	for (const { 0: word, index } of sentence.matchAll(WORD)) {
		if (count >= maxWords) {
			pieceRanges.push({ start: range.start + from, end: range.start + end });
			from = index;
			count = 0;
		}
		end = index + word.length;
		count++;
	}
	return [...pieceRanges, { start: range.start + from, end: range.end }];
}
