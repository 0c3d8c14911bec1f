import type { WireRunEvent } from "@stemma/client";
import type { RunResult } from "@stemma/core";
import { expect, it } from "vitest";
import { createRunReplyReducer } from "./run-reply";

const result: RunResult = {
	run_id: "run_1",
	status: "completed",
	output: "Five days.",
	citations: [],
	usage: { input_tokens: 3, output_tokens: 2, model_calls: 1, steps: 1 },
	receipt: [],
};
const at = "2026-01-31T12:00:00.000Z";
const node = { run_id: "run_1", at, node: "desk", invocation: 1 };

/** Reads events, which get their numbers here. */
function read(events: readonly object[]) {
	const reduce = createRunReplyReducer();
	return events.flatMap((event, index) => reduce({ ...node, seq: index + 1, ...event } as WireRunEvent));
}

it("passes the answer on as it comes, and nothing of inner nodes", () => {
	const events = read([
		{ type: "run.started" },
		{ type: "text.delta", text: "inner", final: false },
		{ type: "reasoning.delta", text: "Hm." },
		{ type: "text.delta", text: "Wait.", final: true },
		{ type: "text.reset" },
		{ type: "text.delta", text: "Five days.", final: true },
		{ type: "run.completed", result },
	]);
	expect(events).toEqual([
		{ type: "start" },
		{ type: "reasoning.delta", text: "Hm." },
		{ type: "text.delta", text: "Wait." },
		{ type: "text.reset" },
		{ type: "text.delta", text: "Five days." },
		{
			type: "finish",
			reply: {
				text: "Five days.",
				toolCalls: [],
				finishReason: "stop",
				answer: {
					citations: [],
					receipt: [],
					usage: result.usage,
					fields: { run_id: "run_1", status: "completed" },
				},
			},
		},
	]);
});

it.each([
	[{ city: "Bonn" }, '{"city":"Bonn"}'],
	[null, ""],
	["", ""],
])("gives the output %j as the text %j where none was streamed", (output, text) => {
	const events = read([{ type: "run.completed", result: { ...result, output } }]);
	expect(events.flatMap((event) => (event.type === "text.delta" ? [event.text] : []))).toEqual(
		text === "" ? [] : [text],
	);
	expect(events.at(-1)).toMatchObject({ type: "finish", reply: { text } });
});

it("ends with a text that says so where the run waits for a person", () => {
	const approval = { id: "apr_2", node: "refund", tool: "refund", arguments: { order: 7 }, expires_at: at };
	const paused = { ...result, status: "paused", output: null, approvals: [approval] };
	const events = read([
		{ type: "text.delta", text: "I will.", final: true },
		{ type: "run.paused", result: paused },
	]);
	expect(events.map(({ type }) => type)).toEqual(["text.delta", "text.reset", "text.delta", "finish"]);
	const text = expect.stringMatching(/approval of a person for "refund".*run_1/);
	expect(events.at(-1)).toMatchObject({
		reply: { text, answer: { fields: { status: "paused", approvals: [approval] } } },
	});
});

it.each([
	["run.failed", { status: "failed", error: { code: "timeout", message: "Too slow." } }, "run_failed"],
	["run.cancelled", { status: "cancelled" }, "run_cancelled"],
])("%s is an error", (type, change, code) => {
	expect(() => read([{ type, result: { ...result, ...change } }])).toThrow(
		expect.objectContaining({ code, details: expect.objectContaining({ run_id: "run_1" }) }),
	);
});
