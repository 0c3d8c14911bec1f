import { expect, it } from "vitest";
import { toMatchExpression } from "./match-expression";

it("asks for any of the words within the knowledge bases", () => {
	const words = [
		{ text: "reset", isPrefix: false },
		{ text: "犬", isPrefix: true },
	];
	expect(toMatchExpression([3, 12], words)).toBe(
		'knowledge_base : ("kb3" OR "kb12") AND {title heading text} : ("reset" OR "犬"*)',
	);
});
