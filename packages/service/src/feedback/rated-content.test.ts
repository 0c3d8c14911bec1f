import type { Citation, Json } from "@stemma/core";
import { describe, expect, it } from "vitest";
import { toRunContent } from "./rated-content";

const result = { output: "At nine [1].", citations: [] };
const toQuestion = (input: Json | undefined) => {
	const { question, history } = toRunContent(input, result, []);
	return { question, history };
};
const user = (content: string) => ({ role: "user", content }) as const;
const assistant = (content: string) => ({ role: "assistant", content }) as const;

describe("the question of a run", () => {
	it.each<readonly [string, Json, string, readonly object[]]>([
		["text", "When?", "When?", []],
		["JSON", { order: 7 }, '{"order":7}', []],
		["messages without roles", { messages: [{ text: "When?" }] }, '{"messages":[{"text":"When?"}]}', []],
		[
			"a conversation",
			{ messages: [user("When?"), assistant("At nine."), user("And on Sundays?")] },
			"And on Sundays?",
			[user("When?"), assistant("At nine.")],
		],
		[
			"a conversation of parts",
			{ messages: [{ ...user(""), content: [{ type: "text", text: "When?" }] }] },
			"When?",
			[],
		],
		[
			"a conversation without a user",
			{ messages: [assistant("At nine.")] },
			'{"messages":[{"role":"assistant","content":"At nine."}]}',
			[],
		],
	])("of %s", (_, input, question, history) => {
		expect(toQuestion(input)).toEqual({ question, history });
	});

	it("is empty where the input was not stored", () => {
		expect(toQuestion(undefined)).toEqual({ question: "", history: [] });
	});

	it("and what was said before it have 100,000 characters at most; the newest messages are kept", () => {
		expect(toQuestion("x".repeat(100_001)).question).toHaveLength(100_000);
		const messages = [user("first"), assistant("x".repeat(99_996)), user("last"), user("And?")];
		expect(toQuestion({ messages }).history).toEqual(messages.slice(1, 3));
	});
});

it("gives cited passages the ids of their citations", () => {
	const place = { start: 0, end: 5 };
	const [text, title] = ["It opens at nine.", "Hours"];
	const citation: Citation = {
		...{ n: 1, passage_id: "psg_1", document_id: "doc_1", title, text, place, support: "quoted" },
	};
	const passages = [
		{ title, text, place },
		{ title, text: "It closes at five.", place },
		{ title: "Others", text, place },
	];
	const content = toRunContent("When?", { ...result, citations: [citation] }, passages);
	expect(content).toMatchObject({ answer: "At nine [1].", citations: [citation] });
	expect(content.passages).toEqual([
		{ ...passages[0], passage_id: "psg_1", document_id: "doc_1" },
		passages[1],
		passages[2],
	]);
});
