import { foldText } from "@stemma/documents";

/** Words that are longer are no words. */
const MAX_CHARACTERS = 24;

/** Letters of a script. */
interface Alphabet {
	readonly script: RegExp;
	readonly letters: readonly string[];
	/** Words that are shorter have too many neighbours to guess one. */
	readonly minLetters: number;
}

const ALPHABETS: readonly Alphabet[] = [
	{ script: /^[a-z]+$/, letters: [..."abcdefghijklmnopqrstuvwxyz"], minLetters: 4 },
	{ script: /^\p{Script=Cyrillic}+$/u, letters: [..."абвгдежзийклмнопрстуфхцчшщъыьэюяіїєґ"], minLetters: 4 },
	{ script: /^\p{Script=Greek}+$/u, letters: [..."αβγδεζηθικλμνξοπρστυφχψω"], minLetters: 4 },
	// Vowels are not written, so that words are shorter.
	{ script: /^\p{Script=Arabic}+$/u, letters: [..."ابتثجحخدذرزسشصضطظعغفقكلمنهويءئؤپچژگ"], minLetters: 3 },
	{ script: /^\p{Script=Hebrew}+$/u, letters: [..."אבגדהוזחטיכלמנסעפצקרשתךםןףץ"], minLetters: 3 },
];
const NO_ALPHABET = { letters: [], minLetters: Number.POSITIVE_INFINITY };

/** Words at edit distance 1 of a word. */
export interface TypoVariants {
	/** Words with two neighbours swapped back, or one of two same letters left out: few, and seldom wrong. */
	readonly likely: readonly string[];
	/** Words with a letter left out, replaced or added. */
	readonly others: readonly string[];
}

/** Returns the variants of a word; none of short words, of numbers, and of scripts that write no letters. */
export function toTypoVariants(word: string): TypoVariants {
	const plain = word
		.normalize("NFD")
		.replace(/(\p{Script=Latin})\p{M}+/gu, "$1")
		.normalize("NFC");
	const { letters, minLetters } = ALPHABETS.find(({ script }) => script.test(plain)) ?? NO_ALPHABET;
	const characters = [...plain];
	if (characters.length < minLetters || characters.length > MAX_CHARACTERS) return { likely: [], others: [] };
	const cuts = characters.map((letter, at) => ({
		before: plain.slice(0, at),
		letter,
		after: plain.slice(at + 1),
	}));
	const likely = cuts.flatMap(({ before, letter, after }) => {
		const next = after.slice(0, 1);
		if (next === "") return [];
		return [next === letter ? `${before}${after}` : `${before}${next}${letter}${after.slice(1)}`];
	});
	const others = [
		...cuts.map(({ before, after }) => `${before}${after}`),
		...cuts.flatMap(({ before, after }) => letters.map((other) => `${before}${other}${after}`)),
		...cuts.flatMap(({ before, letter, after }) =>
			letters.map((other) => `${before}${other}${letter}${after}`),
		),
		...letters.map((other) => `${plain}${other}`),
	];
	return { likely: toFolded(likely, plain), others: toFolded(others, plain) };
}

/** Spelled as in the index: a variant may begin with an article again. */
const toFolded = (variants: readonly string[], word: string): string[] =>
	[...new Set(variants.map(foldText))].filter((variant) => variant !== word);
