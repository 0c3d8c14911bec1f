import { UNSPACED_SCRIPTS } from "@stemma/documents";

/** Pair of characters of a script without blanks, or any other word, and how many passages have it. */
export interface CountedWord {
	readonly word: string;
	readonly count: number;
}

const PAIR = new RegExp(`^[${UNSPACED_SCRIPTS}]{2}$`, "u");
/** Factor of a pair that joins two words. Chosen on the first half of the Chinese and Japanese questions. */
const JOINT_FACTOR = 0.25;

/**
 * Returns a factor for each word of a question, in order: less than 1 for a pair of characters that no passage has beside
 * one that passages have. It joins the end of a word to the next, and says nothing about what is asked for; alone, it would
 * count as the rarest word.
 */
export const toJointFactors = (words: readonly CountedWord[]): readonly number[] =>
	words.map(({ word, count }, index) => {
		if (count > 0 || !PAIR.test(word)) return 1;
		const before = words[index - 1];
		const behind = words[index + 1];
		const isJoint = (before && isFoundBefore(before, word)) || (behind && isFoundBehind(behind, word));
		return isJoint ? JOINT_FACTOR : 1;
	});

const isFoundBefore = ({ word, count }: CountedWord, pair: string): boolean =>
	count > 0 && PAIR.test(word) && [...word][1] === [...pair][0];

const isFoundBehind = ({ word, count }: CountedWord, pair: string): boolean =>
	count > 0 && PAIR.test(word) && [...word][0] === [...pair][1];
