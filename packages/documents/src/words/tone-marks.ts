/** Letters that Vietnamese alone is written with. */
const VIETNAMESE = /[ơưăđ\u1ea0-\u1ef9]/iu;
const MARKED_WORD = /(?=\p{L}*[^\0-\x7f])\p{Script=Latin}+/gu;
/** Figures for the marks of letters and the tones, in the order of their code points. */
const MARKS = ["\u0300", "\u0301", "\u0302", "\u0303", "\u0306", "\u0309", "\u031b", "\u0323"];

/** Checks whether a text is Vietnamese, where marks are no accents: they tell one word from another. */
export const hasToneMarks = (text: string): boolean => VIETNAMESE.test(text);

/**
 * The words of a Vietnamese text that have marks, as the index spells them beside their forms without marks: `tiếng` is
 * `tie32ng`. The index drops marks, and keeps figures.
 */
export const toTonedWords = (text: string): string[] =>
	(text.normalize("NFC").match(MARKED_WORD) ?? []).map(toTonedWord);

/** One word with figures in place of its marks; others stay as they are. */
export const toTonedWord = (word: string): string =>
	word
		.toLowerCase()
		.replaceAll("đ", "d9")
		.normalize("NFD")
		.replace(/\p{M}/gu, (mark) => String(MARKS.indexOf(mark) + 1));
