/** Characters of a text that are passed to the model. It reads 128 tokens, about 500 characters, and ignores the rest. */
const READ_CHARACTERS = 640;
/** Characters for one token of the vocabulary from which a text is English: German, French and Turkish have fewer. */
const MIN_CHARACTERS_PER_TOKEN = 3;
/** Share of words that English has, and neither code nor most other languages, from which a text with code or names in it is English. */
const MIN_ENGLISH_WORDS = 0.03;
const ENGLISH_WORDS = new Set("the to are that which you your how what can".split(" "));
/** Share of letters of the English alphabet from which a text is English. */
const MIN_ENGLISH_LETTERS = 0.9;

/**
 * Returns the beginning of a text, which its vector is made of. Adding the vectors of its parts was measured to find less:
 * the title and the first sentences say best what a passage is about.
 */
export const toReadPart = (text: string): string => text.slice(0, READ_CHARACTERS);

/**
 * Checks whether the model knows the language of a text: its vocabulary is English, and cuts words that it does not have
 * into small parts. A passage without a vector ranks below others, so that code in English prose must pass.
 *
 * @param tokens - number of tokens of the text.
 */
export function isKnownText(text: string, tokens: number): boolean {
	const letters = text.match(/\p{L}/gu) ?? [];
	const english = letters.filter((letter) => letter <= "z").length;
	return (
		letters.length > 0 &&
		english / letters.length >= MIN_ENGLISH_LETTERS &&
		(text.length / tokens >= MIN_CHARACTERS_PER_TOKEN || hasEnglishWords(text))
	);
}

function hasEnglishWords(text: string): boolean {
	const words = text.toLowerCase().match(/[a-z]+/g) ?? [];
	return (
		words.filter((word) => ENGLISH_WORDS.has(word)).length >= MIN_ENGLISH_WORDS * Math.max(words.length, 1)
	);
}
