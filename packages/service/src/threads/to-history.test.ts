import { expect, it } from "vitest";
import { MAX_BRANCH_CHARACTERS } from "./thread-limits";
import { toHistory, toRunInput } from "./to-history";

const user = (text: string) => ({ role: "user" as const, text });
const assistant = (text: string) => ({ role: "assistant" as const, text });

it("has the messages of a branch in their order, without answers that have no text", () => {
	expect(toHistory([user("A?"), assistant(""), user("B?"), assistant("B.")])).toEqual([
		{ role: "user", content: "A?" },
		{ role: "user", content: "B?" },
		{ role: "assistant", content: "B." },
	]);
	expect(toHistory([])).toEqual([]);
});

it("has the last messages of a branch that is too long", () => {
	const half = "x".repeat(MAX_BRANCH_CHARACTERS / 2);
	const contents = (texts: readonly string[]) =>
		toHistory(texts.map(user)).map(({ content }) => content.length);
	expect(contents([half, half])).toEqual([half.length, half.length]);
	expect(contents(["old", half, half])).toEqual([half.length, half.length]);
	expect(contents([half, `${half}y`])).toEqual([half.length + 1]);
});

it("makes a conversation of a question, where there is a history", () => {
	expect(toRunInput("Hi", [])).toBe("Hi");
	expect(toRunInput("And?", [{ role: "user", content: "Hi" }])).toEqual({
		messages: [
			{ role: "user", content: "Hi" },
			{ role: "user", content: "And?" },
		],
	});
});
