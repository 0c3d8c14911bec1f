import { expect, it } from "vitest";
import { toMatchExpression, toSharedMatchExpression } from "./match-expression";

const WORDS = [
	{ text: "reset", isPrefix: false },
	{ text: "犬", isPrefix: true },
];

it("asks for any of the words", () => {
	expect(toMatchExpression(WORDS)).toBe('"reset" OR "犬"*');
});

it("asks for any of the words within the knowledge bases of a shared index", () => {
	expect(toSharedMatchExpression([3, 12], WORDS)).toBe(
		'knowledge_base : ("kb3" OR "kb12") AND {title heading text} : ("reset" OR "犬"*)',
	);
});
