import { findGroupedNumbers } from "./compounds";
import { foldText } from "./fold-text";
import { hasToneMarks, toTonedWords } from "./tone-marks";

/**
 * Han, kana, Hangul, Thai, Lao, Khmer and Burmese: words are not set apart by blanks there, or (in Korean) carry their
 * grammar with them.
 */
export const UNSPACED_SCRIPTS = ["Han", "Hiragana", "Katakana", "Hangul", "Thai", "Lao", "Khmer", "Myanmar"]
	.map((script) => String.raw`\p{Script=${script}}`)
	.join("")
	.concat("ー々");

const UNSPACED_RUN = new RegExp(`[${UNSPACED_SCRIPTS}]+`, "gu");
/** Code units from which on there are unspaced scripts, and halves of characters; a quick test, which most texts fail. */
const MAYBE_UNSPACED = /[\u0e00-\u1cff\u2e80-\uffff]/;

/**
 * A text as the word index is given it: variants of one letter made the same, unspaced scripts cut into overlapping pairs
 * of characters; behind it grouped numbers as one, and Vietnamese words with their tones. The index itself folds
 * case and accents and cuts English endings.
 */
export function toIndexText(text: string): string {
	const added = [...findGroupedNumbers(text), ...(hasToneMarks(text) ? toTonedWords(text) : [])];
	const folded = foldText(text);
	const spaced = MAYBE_UNSPACED.test(folded)
		? folded.replace(UNSPACED_RUN, (run) => ` ${toIndexedPairs(run).join(" ")} `)
		: folded;
	return added.length === 0 ? spaced : `${spaced} ${foldText(added.join(" "))}`;
}

/** `梅雨期` to `梅雨`, `雨期`, `期`: each character begins a term, so one character alone is found as a beginning. */
function toIndexedPairs(run: string): string[] {
	const characters = splitCharacters(run);
	return characters.map((character, index) => character + (characters[index + 1] ?? ""));
}

/** Characters with the marks that belong to them, such as the vowels of Thai. */
export const splitCharacters = (run: string): string[] => run.match(/\P{M}\p{M}*|\p{M}+/gu) ?? [];
