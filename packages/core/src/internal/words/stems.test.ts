import { expect, it } from "vitest";
import { toFoldedWords } from "./folded-words";
import { createCoverageReader, toQueryTerms } from "./question-coverage";

const cover = (question: string, text: string) =>
	createCoverageReader(toQueryTerms(question))(toFoldedWords(text));

it.each([
	["Arabic, with article and ending", "ما النسخة؟", "نسخ"],
	["Arabic, with a conjunction", "ما الحقوق؟", "والحقوق"],
	["Russian, in other cases", "Где пароли?", "паролями"],
	["Russian, of other persons", "Кто запускает?", "запускают"],
	["Turkish, with and without a dot", "Kapı nerede?", "kapi"],
])("finds the whole of a word: %s", (_, question, text) => {
	expect(cover(question, text)).toEqual([1]);
});

it("finds most of a word that begins as another does", () => {
	const [share = 0] = cover("Kurulumdan önce mi?", "kurulurken");
	expect(share).toBeGreaterThan(0.5);
	expect(share).toBeLessThan(1);
});

it.each(["Можно ли мне?", "Kim nedir?", "ماذا يمكن؟", "我可以吗？"])(
	"looks for no word for asking: %s",
	(question) => {
		expect(toQueryTerms(question)).toEqual([]);
	},
);

it("weighs names and numbers higher, but for the first word", () => {
	expect(toQueryTerms("Where did Rosa work 1997?").map(({ word, importance }) => [word, importance])).toEqual(
		[
			["rosa", 1.5],
			["work", 1],
			["1997", 1.5],
		],
	);
});
