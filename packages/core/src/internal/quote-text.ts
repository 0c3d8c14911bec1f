const MAX_QUOTE_CHARACTERS = 400;

/**
 * A text as it may stand in an answer, to the letter, but for blanks and control characters, which are folded. `…` stands
 * for what is left out: what is cut, between words, off a long text; what would be read as a citation mark, or as the
 * beginning of code that does not end.
 *
 * @param isQueryWord - whether a word should rather be kept when the text is cut.
 */
export function toQuoteText(text: string, isQueryWord: (word: string) => boolean = () => false): string {
	const normalized = text.replace(/[\s\p{Cc}]+/gu, " ").trim();
	return leaveOutMarks(normalized.length <= MAX_QUOTE_CHARACTERS ? normalized : cut(normalized, isQueryWord));
}

/** A sequence of backticks or tildes, or a citation mark in any form that is read as one. */
const TOKEN = /`+|~{3,}|\[\s*\^?\d[\d\s,;^–-]*\]|[【［]\s*\d[\d\s,;、，–-]*(?:†[^】］[]*)?[】］]/g;

/** Replaces by `…` the marks outside of code, and what opens code that is not closed. */
function leaveOutMarks(text: string): string {
	const tokens = [...text.matchAll(TOKEN)];
	let output = "";
	let from = 0;
	let codeEnd = 0;
	for (const [position, { 0: token, index }] of tokens.entries()) {
		if (index < codeEnd) continue;
		const closing = tokens.slice(position + 1).find(([other]) => other === token);
		if (!/^\[|^[【［]/.test(token) && closing !== undefined) codeEnd = closing.index + token.length;
		else {
			output += `${text.slice(from, index).trimEnd()} … `;
			from = index + token.length + (text.startsWith(" ", index + token.length) ? 1 : 0);
		}
	}
	return (output + text.slice(from)).trim();
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
