const WORD = /[\p{L}\p{N}]+/gu;
const UNSPACED_SCRIPT =
	/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

/** Words shorter than this are mostly grammar; figures always count. */
const MIN_WORD_CHARACTERS = 4;

function toTerms(text: string): Set<string> {
	const terms = new Set<string>();
	for (const [word] of text.normalize("NFKC").toLowerCase().matchAll(WORD)) {
		if (UNSPACED_SCRIPT.test(word))
			for (let at = 0; at < word.length - 1; at++) terms.add(word.slice(at, at + 2));
		else if (word.length >= MIN_WORD_CHARACTERS || /\d/.test(word)) terms.add(word);
	}
	return terms;
}

/** A passage may be cited a thousand times, and long: its terms are looked for once. */
const termsOfPassages = new WeakMap<object, ReadonlySet<string>>();

function termsOf(passage: { readonly text: string }): ReadonlySet<string> {
	const known = termsOfPassages.get(passage);
	if (known !== undefined) return known;
	const terms = toTerms(passage.text);
	termsOfPassages.set(passage, terms);
	return terms;
}

/**
 * Checks whether a sentence's words and figures are found in the passage that it cites: at least half of the words, and
 * every figure. A sentence with neither makes no claim to check and counts as supported.
 */
export function isSupported(sentence: string, passage: { readonly text: string }): boolean {
	const claimed = toTerms(sentence);
	const known = termsOf(passage);
	let found = 0;
	for (const term of claimed) {
		if (known.has(term)) found++;
		else if (/^\d+$/.test(term)) return false;
	}
	return found * 2 >= claimed.size;
}
