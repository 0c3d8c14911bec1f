import { createHash } from "node:crypto";

const MIN_LETTERS = 5;
const WORD = new RegExp(
	`(?<![\\p{L}\\p{N}])\\p{L}[\\p{L}\\p{M}]{${MIN_LETTERS - 1},}(?![\\p{L}\\p{N}])`,
	"gu",
);
/** Scripts without blanks between words, whose "words" are whole clauses. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

const EDITS = [
	(letters, at) => letters.toSpliced(at, 2, letters[at + 1], letters[at]),
	(letters, at) => letters.toSpliced(at, 1),
	(letters, at) => letters.toSpliced(at, 0, letters[at]),
	(letters, at, other) => letters.toSpliced(at, 1, other),
];

/** Numbers below a limit that only a text decides. */
function createNumbers(seed) {
	let round = 0;
	return (limit) => {
		round += 1;
		return createHash("sha256").update(`typo ${round} ${seed}`).digest().readUInt32BE(0) % limit;
	};
}

/**
 * A question with one letter of one longer word swapped with the next, dropped, doubled or replaced by another of the
 * question; always the same. Without such a word: undefined.
 */
export function addTypo(question) {
	const words = [...question.matchAll(WORD)].filter(([word]) => !UNSPACED.test(word));
	if (words.length === 0) return undefined;
	const next = createNumbers(question);
	const { 0: word, index } = words[next(words.length)];
	const letters = [...word];
	const others = [...question.toLowerCase().replace(/[^\p{L}]/gu, "")];
	for (;;) {
		const edit = EDITS[next(EDITS.length)];
		const changed = edit(letters, next(letters.length - 1), others[next(others.length)]).join("");
		if (changed !== word) return question.slice(0, index) + changed + question.slice(index + word.length);
	}
}
