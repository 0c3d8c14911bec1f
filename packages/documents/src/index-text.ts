/** Han, kana and Hangul: words are not set apart by blanks there, or (in Korean) carry their grammar with them. */
export const UNSPACED_SCRIPTS = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々`;

const UNSPACED_RUN = new RegExp(`[${UNSPACED_SCRIPTS}]+`, "gu");
const NON_LATIN_1 = /[^\0-\xff]/;

/**
 * A text as the word index is given it: variants of one character made the same, and Chinese, Japanese and Korean cut
 * into overlapping pairs of characters. The index itself folds case and accents and cuts English endings.
 */
export function toIndexText(text: string): string {
	if (!NON_LATIN_1.test(text)) return text;
	return text.normalize("NFKC").replace(UNSPACED_RUN, (run) => ` ${toIndexedPairs(run).join(" ")} `);
}

/** `梅雨期` to `梅雨`, `雨期`, `期`: each character begins a term, so one character alone is found as a beginning. */
function toIndexedPairs(run: string): string[] {
	const characters = [...run];
	return characters.map((character, index) => character + (characters[index + 1] ?? ""));
}
