/** Letters, marks and digits that belong together, with the points and commas within numbers left out. */
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const ACCENTS = /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{M}+/gu;
/** Vowel marks, which Arabic and Hebrew texts have or leave out, and the line that stretches Arabic words. */
const VOWEL_MARKS = /[\u0591-\u05c7\u064b-\u065f\u0670\u0640]/gu;
const DIGIT = /\p{Nd}/gu;

/** A text with one form for each character: no accents, no vowel marks, ASCII digits. Letter case stays. */
export const foldCharacters = (text: string): string =>
	text
		.normalize("NFKD")
		.replace(ACCENTS, "$1")
		.replace(VOWEL_MARKS, "")
		.normalize("NFKC")
		.replace(/[’ʼ]/g, "'")
		.replace(DIGIT, toAsciiDigit);

/** Decimal digits of each script are ten consecutive characters. */
function toAsciiDigit(digit: string): string {
	const code = digit.codePointAt(0) ?? 0;
	if (code < 128) return digit;
	let value = 0;
	while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++;
	return `${value % 10}`;
}

/** Scripts whose words are not set apart by blanks, and Korean, whose words carry their grammar with them. */
export const UNSPACED =
	/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

const UNSPACED_RUN = new RegExp(`${UNSPACED.source}+`, "gu");

/** The words of a text; text without blanks is one word between two of another script. */
export const splitWords = (text: string): string[] =>
	(UNSPACED.test(text) ? text.replace(UNSPACED_RUN, " $& ") : text).match(WORD) ?? [];
