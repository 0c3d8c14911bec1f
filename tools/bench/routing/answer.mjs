// What the models answer: words of a few letters, now and then one that is not ASCII, the same in every run.

const WORDS = [
	" the",
	" of",
	" a",
	" word",
	" passage",
	" Straße",
	" is",
	",",
	" 東京",
	" answer",
	" and",
	".",
];

/** An answer in so many deltas. */
export const createWords = (count) =>
	Array.from({ length: count }, (_, index) => WORDS[(index * 7 + (index >> 3)) % WORDS.length]);

/** An answer of one delta, with so many bytes of text. */
export const createLongWord = (bytes) => [
	"a long answer that came at once; ".repeat(Math.ceil(bytes / 32)).slice(0, bytes),
];
