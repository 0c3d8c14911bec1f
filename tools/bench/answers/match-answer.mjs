const UNSPACED =
	/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** A text without differences of case, punctuation, blanks and compatible characters. */
const normalize = (text) =>
	text
		.normalize("NFKC")
		.toLowerCase()
		.replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
		.trim();

const holdsWords = (text, words) => ` ${normalize(text)} `.includes(` ${normalize(words)} `);
const holdsCharacters = (text, characters) =>
	normalize(text).replaceAll(" ", "").includes(normalize(characters).replaceAll(" ", ""));

/**
 * Checks whether a text has an answer: as whole words, or as characters where words are not spaced and where the
 * document itself has it only within a word.
 */
const holds = (text, answer, document) =>
	UNSPACED.test(answer) || !holdsWords(document, answer)
		? holdsCharacters(text, answer)
		: holdsWords(text, answer);

/** Checks whether a text has one of the expected answers, or all of them where all are needed. */
export function hasExpected(text, { answers, all_needed = false }, document) {
	const isIn = (answer) => holds(text, answer, document);
	return all_needed ? answers.every(isIn) : answers.some(isIn);
}
