/** Prefixes that negate a word: what is `undisclosed` is told where it says what is `disclosed`. */
const NEGATIONS = ["non", "un"];
/** Other prefixes after which a word is about the same thing: `reinstall` and `install`. Longest first. */
const PREFIXES = [
	...["counter", "hyper", "inter", "multi", "super", "under"],
	...["anti", "over", "semi", "dis", "mis", "pre", "sub", "co", "de", "im", "in", "re"],
];
/** Shorter rests are mostly other words: `sure` of a misspelt `presure`. */
const MIN_REST_LETTERS = 5;
const LATIN = /^\p{Script=Latin}+$/u;

function withoutPrefixes(word: string, prefixes: readonly string[]): string[] {
	if (!LATIN.test(word)) return [];
	return prefixes
		.filter((prefix) => word.startsWith(prefix))
		.map((prefix) => word.slice(prefix.length))
		.filter(({ length }) => length >= MIN_REST_LETTERS);
}

/** Forms that a word may negate; not all of them are words. */
export const toAffirmed = (word: string): string[] => withoutPrefixes(word, NEGATIONS);

/** Words without another prefix that they may have; not all of them are words. */
export const toUnprefixed = (word: string): string[] => withoutPrefixes(word, PREFIXES);
