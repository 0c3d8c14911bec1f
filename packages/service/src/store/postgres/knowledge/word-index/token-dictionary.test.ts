import { expect, it } from "vitest";
import { createTokenDictionary } from "./token-dictionary";
import type { Tokenizer } from "./tokenizer";

/** Tokens are the letters of a piece; it remembers the texts that it was asked for. */
function createLetters(): Tokenizer & { readonly asked: string[] } {
	const asked: string[] = [];
	return {
		asked,
		tokenize(texts) {
			asked.push(...texts);
			return texts.map((text) => (/^[a-z ]+$/.test(text) ? text.split(" ") : [...text]));
		},
	};
}

it("gives a token the same number in all texts, and pieces as many as they have", () => {
	const { toNumbers, tokens } = createTokenDictionary(createLetters());
	expect(toNumbers(["ab äö ab", "ö ab"])).toEqual([
		[0, 1, 2, 0],
		[2, 0],
	]);
	expect(toNumbers(["äö cd"])).toEqual([[1, 2, 3]]);
	expect(tokens).toEqual(["ab", "ä", "ö", "cd"]);
});

it("asks for each piece once, for plain ones together, and for long ones each time", () => {
	const letters = createLetters();
	const dictionary = createTokenDictionary(letters);
	const long = "ä".repeat(41);
	dictionary.toNumbers([`ab cd ${long}`, "ab ä"]);
	expect(letters.asked).toEqual(["ab cd", long, "ä"]);
	dictionary.toNumbers([`cd ${long} ä`]);
	expect(letters.asked).toEqual(["ab cd", long, "ä", "", long]);
	expect(dictionary.size).toBe(3);
});
