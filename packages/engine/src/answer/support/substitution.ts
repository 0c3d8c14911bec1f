import { UNSPACED } from "./normalize";
import { isSameWord } from "./same-word";
import { isContentWord, type Sentence } from "./sentence";

/** Terms in a row that stand in the place of others. */
const MAX_SUBSTITUTED = 3;

/**
 * Checks whether a claim has other characters in the place of some, with the same before and behind them: 买家 for 卖家. What
 * was only added or left out is not taken for that.
 */
export function substitutesCharacters(
	{ terms }: Sentence,
	found: readonly boolean[],
	letters: string,
): boolean {
	const text = letters.replaceAll(" ", "");
	for (let first = 0; first < terms.length; first++) {
		if (found[first] !== false || found[first - 1] === false) continue;
		let last = first;
		while (found[last + 1] === false) last++;
		const count = last - first;
		const [before = ""] = terms[first] ?? "";
		const after = [...(terms[last] ?? "")].at(-1) ?? "";
		if (count < 1 || count > MAX_SUBSTITUTED || !UNSPACED.test(before) || !UNSPACED.test(after)) continue;
		for (let at = text.indexOf(before); at !== -1; at = text.indexOf(before, at + 1))
			if (text[at + count + 1] === after) return true;
	}
	return false;
}

/** Words before a name that tell its place in a sentence. */
const WORDS_BEFORE = 2;
/** Other words that a sentence may have between them and the name. */
const MAX_WORDS_BETWEEN = 1;

/** Checks whether a claim has a name behind words behind which a sentence has another one: `contained within Peru`. */
export const substitutesName = ({ sequence, names }: Sentence, other: Sentence): boolean =>
	sequence.some((name, at) => {
		const before = sequence.slice(Math.max(0, at - WORDS_BEFORE), at);
		if (!names.includes(name) || before.length < WORDS_BEFORE || !before.some(isContentWord)) return false;
		const places = other.sequence.flatMap((_, start) =>
			before.every((word, index) => other.sequence[start + index] === word) ? [start + WORDS_BEFORE] : [],
		);
		return places.length > 0 && !places.some((start) => isNear(name, other, start));
	});

/** Checks whether a name comes before other words: names, numbers and grammar may be between. */
function isNear(name: string, { sequence, names }: Sentence, start: number): boolean {
	let count = 0;
	for (const word of sequence.slice(start)) {
		if (word === name || isSameWord(word, name)) return true;
		if (isContentWord(word) && !names.includes(word)) count++;
		if (count > MAX_WORDS_BETWEEN) return false;
	}
	return false;
}

/** Checks whether a claim has a word that a sentence lacks, in the place of another between the same words. */
export function substitutesTerm({ terms }: Sentence, found: readonly boolean[], other: Sentence): boolean {
	return terms.some((_, at) => {
		const next = terms[at + 1];
		if (found[at] !== false || found[at + 1] === false || next === undefined) return false;
		const previous = terms[at - 1];
		if (found[at - 1] === false) return false;
		return other.terms.some(
			(term, index) =>
				!terms.includes(term) && other.terms[index + 1] === next && other.terms[index - 1] === previous,
		);
	});
}
