/** Words that are shorter have too many neighbours to guess one. */
const MIN_CHARACTERS = 5;
/** Words that are longer are no words. */
const MAX_CHARACTERS = 24;
const ALPHABETS: readonly (readonly [script: RegExp, letters: string])[] = [
	[/^[a-z]+$/, "abcdefghijklmnopqrstuvwxyz"],
	[/^\p{Script=Cyrillic}+$/u, "абвгдежзийклмнопрстуфхцчшщъыьэюяіїєґ"],
	[/^\p{Script=Greek}+$/u, "αβγδεζηθικλμνξοπρστυφχψω"],
	[/^\p{Script=Arabic}+$/u, "ابتثجحخدذرزسشصضطظعغفقكلمنهويءئؤپچژگ"],
	[/^\p{Script=Hebrew}+$/u, "אבגדהוזחטיכלמנסעפצקרשתךםןףץ"],
];

/**
 * All words at edit distance 1 of a word: two neighbours swapped first, then a letter left out, replaced or added. None of
 * short words, of numbers, and of scripts that write no letters.
 */
export function toTypoVariants(word: string): string[] {
	const plain = word
		.normalize("NFD")
		.replace(/(\p{Script=Latin})\p{M}+/gu, "$1")
		.normalize("NFC");
	const [, letters] = ALPHABETS.find(([script]) => script.test(plain)) ?? [];
	const characters = [...plain];
	if (letters === undefined || characters.length < MIN_CHARACTERS || characters.length > MAX_CHARACTERS)
		return [];
	const cuts = characters.map((letter, at) => ({
		before: plain.slice(0, at),
		letter,
		after: plain.slice(at + 1),
	}));
	const alphabet = [...letters];
	const variants = new Set([
		...cuts.flatMap(({ before, letter, after }) =>
			after === "" ? [] : [`${before}${after.slice(0, 1)}${letter}${after.slice(1)}`],
		),
		...cuts.map(({ before, after }) => `${before}${after}`),
		...cuts.flatMap(({ before, after }) => alphabet.map((other) => `${before}${other}${after}`)),
		...cuts.flatMap(({ before, letter, after }) =>
			alphabet.map((other) => `${before}${other}${letter}${after}`),
		),
		...alphabet.map((other) => `${plain}${other}`),
	]);
	variants.delete(plain);
	return [...variants];
}
