import { splitSentences } from "@stemma/routing/extractive";
import { type SourceRange, type TextBlock, toSourceRange } from "../document-part";

/**
 * Part of a document that is never cut: a whole block, or a sentence or line of a block that is too long for one
 * passage.
 */
export interface PassageUnit extends SourceRange {
	readonly text: string;
	readonly words: number;
	/** Text between this unit and the one before it, if both are in the same passage. */
	readonly separator: string;
}

/** A sentence longer than this (a table without line ends, a word list) is cut between words all the same. */
const MAX_SENTENCE_WORDS = 600;
/** Up to two characters of the scripts without blanks, or 20 of the others, count as a word. */
const WORD =
	/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{1,2}|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{1,20}/gu;

/** Words of a text, in any script. */
export function countWords(text: string): number {
	let count = 0;
	for (const _ of text.matchAll(WORD)) count++;
	return count;
}

/** The units of a block of up to `maxWords`, or of a longer one. */
export function toUnits(block: TextBlock, maxWords: number): PassageUnit[] {
	const { text, start, end } = block;
	const words = countWords(text);
	if (words <= maxWords) return [{ text, start, end, words, separator: "\n\n" }];
	const ranges = splitSentences(text).flatMap((range) => splitLongSentence(text, range, maxWords));
	return ranges.map((range, index) => {
		const separator = index === 0 ? "\n\n" : text.slice(ranges[index - 1]?.end, range.start);
		return toUnit(block, range, separator);
	});
}

function toUnit(block: TextBlock, range: SourceRange, separator: string): PassageUnit {
	const text = block.text.slice(range.start, range.end);
	return { text, ...toSourceRange(block, range), words: countWords(text), separator };
}

function splitLongSentence(text: string, range: SourceRange, maxWords: number): SourceRange[] {
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
