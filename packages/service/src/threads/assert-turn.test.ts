import { expect, it } from "vitest";
import { assertTurn, type IfActive } from "./assert-turn";
import type { TurnFacts } from "./new-turn";
import { MAX_QUEUED_MESSAGES, MAX_THREAD_CHARACTERS, MAX_THREAD_MESSAGES } from "./thread-limits";

const FACTS: TurnFacts = {
	thread: { message_count: 2, characters: 10 },
	parent: { id: "a1", role: "assistant" },
	unfinished: 0,
	unfinishedRuns: 0,
};
const question = { kind: "new", id: "q2", text: "Hello?", parentId: undefined, title: "" } as const;

const codeOf = (facts: Partial<TurnFacts>, ifActive: IfActive = "queue", asked: object = {}): string => {
	try {
		assertTurn({ threadId: "thr_1", question: { ...question, ...asked } }, ifActive, { ...FACTS, ...facts });
		return "";
	} catch (error) {
		return (error as { code: string }).code;
	}
};

it("takes a message behind an answer, and at the root", () => {
	expect([codeOf({}), codeOf({ parent: undefined }, "queue", { parentId: null })]).toEqual(["", ""]);
	expect(codeOf({ thread: { message_count: MAX_THREAD_MESSAGES - 2, characters: 0 } })).toBe("");
	expect(codeOf({ thread: { message_count: 0, characters: MAX_THREAD_CHARACTERS - 6 } })).toBe("");
});

it.each<[string, Partial<TurnFacts>, object, string]>([
	["a thread that is gone", { thread: undefined }, {}, "thread_not_found"],
	["a parent that is gone", { parent: undefined }, { parentId: "a1" }, "message_not_found"],
	["a parent that is a question", { parent: { id: "q1", role: "user" } }, {}, "invalid_request"],
	[
		"too many messages",
		{ thread: { message_count: MAX_THREAD_MESSAGES - 1, characters: 0 } },
		{},
		"thread_full",
	],
	[
		"too much text",
		{ thread: { message_count: 0, characters: MAX_THREAD_CHARACTERS - 5 } },
		{},
		"thread_full",
	],
])("refuses %s", (_, facts, asked, code) => {
	expect(codeOf(facts, "queue", asked)).toBe(code);
});

it("queues, rejects or interrupts where messages are being answered", () => {
	expect(codeOf({ unfinished: MAX_QUEUED_MESSAGES })).toBe("");
	expect(codeOf({ unfinished: 1 }, "reject")).toBe("thread_active");
	const full = { unfinished: MAX_QUEUED_MESSAGES + 1 };
	expect([codeOf(full), codeOf(full, "interrupt")]).toEqual(["thread_queue_full", ""]);
});
