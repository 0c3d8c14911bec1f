import type { A2aPart } from "@stemma/client/a2a";
import type { Json } from "@stemma/core";
import { describe, expect, it } from "vitest";
import { createTaskProgress } from "../tasks/task-progress";
import { addEvents } from "../tasks/to-task";
import { completed, started, textDelta, toEvents } from "../test-support/run-events";
import { toConversation, toTurn } from "./turn";

const ids = { taskId: "run_1", contextId: "c" };
const ask = (parts: readonly A2aPart[]) => ({ messageId: "m", role: "ROLE_USER", parts }) as const;
const answer = (output: Json) =>
	addEvents(createTaskProgress(ids, ""), toEvents([started, textDelta("Fi"), completed(output)]));

describe("a turn", () => {
	it.each<[string, readonly A2aPart[], Json, object | undefined]>([
		["text", [{ text: "How long?" }], "Five days.", { question: "How long?", answer: "Five days." }],
		["JSON", [{ data: { days: 5 } }], { ok: [1] }, { question: '{"days":5}', answer: '{"ok":[1]}' }],
		["a conversation", [{ data: { messages: [] } }], 0, { question: '{"messages":[]}', answer: "0" }],
		["text among data", [{ text: "Add:" }, { data: [1] }], "1", { question: "Add:\n[1]", answer: "1" }],
		["no question", [{ text: " \n" }], "Five days.", undefined],
		["an empty answer", [{ text: "How long?" }], "", undefined],
	])("is of %s", (_, parts, output, turn) => {
		expect(toTurn(ask(parts), answer(output))).toEqual(turn);
	});

	it("needs an answer", () => {
		const progress = addEvents(createTaskProgress(ids, ""), toEvents([started, completed(null)]));
		expect(toTurn(ask([{ text: "?" }]), progress)).toBeUndefined();
	});
});

describe("a conversation", () => {
	it("is a question alone where it begins", () => {
		expect(toConversation([], "How long?")).toBe("How long?");
	});

	it("goes on with the question behind all turns", () => {
		const turns = [
			{ question: "a?", answer: "a." },
			{ question: "b?", answer: "b." },
		];
		expect(toConversation(turns, "c?")).toEqual({
			messages: [
				{ role: "user", content: "a?" },
				{ role: "assistant", content: "a." },
				{ role: "user", content: "b?" },
				{ role: "assistant", content: "b." },
				{ role: "user", content: "c?" },
			],
		});
	});
});
