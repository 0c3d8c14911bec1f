const MAX_QUOTE_CHARACTERS = 400;

/**
 * A text as it may stand in an answer: blanks and control characters folded, a long one cut between words. What would
 * be read as a citation mark or as the beginning of code becomes round brackets and apostrophes.
 *
 * @param isQueryWord - whether a word should rather be kept when the text is cut.
 */
export function toQuoteText(text: string, isQueryWord: (word: string) => boolean = () => false): string {
	const normalized = text
		.replace(/[\s\p{Cc}]+/gu, " ")
		.trim()
		.replace(/\[(\s*\d[\d\s,;.–-]*)\]/g, "($1)")
		.replace(/`/g, "'");
	return normalized.length <= MAX_QUOTE_CHARACTERS ? normalized : cut(normalized, isQueryWord);
}

/** Keeps the stretch that begins a little before the first telling word, or the beginning if that holds them all. */
function cut(text: string, isQueryWord: (word: string) => boolean): string {
	const words = [...text.matchAll(/\S+/g)];
	const queryWords = words.filter(({ 0: word }) => isQueryWord(word));
	const last = queryWords.at(-1)?.index ?? 0;
	if (last < MAX_QUOTE_CHARACTERS * 0.9) return cutEnd(text);
	const first = Math.max(queryWords[0]?.index ?? 0, last - MAX_QUOTE_CHARACTERS * 0.7);
	const from = words.filter(({ index }) => index <= Math.max(0, first - 60)).at(-1)?.index ?? 0;
	return from === 0 ? cutEnd(text) : `… ${cutEnd(text.slice(from))}`;
}

/**
 * Cuts a text that is too long, between words, or between characters where there are no blanks; never within a
 * surrogate pair.
 */
function cutEnd(text: string): string {
	if (text.length <= MAX_QUOTE_CHARACTERS) return text;
	const head = text.slice(0, MAX_QUOTE_CHARACTERS);
	const blank = head.lastIndexOf(" ");
	const kept = blank > MAX_QUOTE_CHARACTERS / 2 ? head.slice(0, blank) : head.replace(/[\ud800-\udbff]$/, "");
	return `${kept.trimEnd()} …`;
}
