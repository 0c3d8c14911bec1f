import { describe, expect, it } from "vitest";
import { readAgUiRequest } from "./read-ag-ui-request";

const user = (content: unknown) => ({ id: "m", role: "user", content });
const read = (fields: object) => readAgUiRequest({ threadId: "t", runId: "r", ...fields });

describe("a request of AG-UI", () => {
	it("has the text of the user as input, and its context", () => {
		const messages = [
			user([
				{ type: "text", text: "Hel" },
				{ type: "text", text: "lo?" },
			]),
		];
		const context = [{ description: "customer", value: "Ada" }];
		expect(read({ messages, context, tools: [], forwardedProps: { a: 1 }, state: { page: 1 } })).toEqual({
			type: "run",
			input: "Hello?",
			context: { customer: "Ada" },
			options: { threadId: "t", runId: "r", messages, state: { page: 1 } },
		});
	});

	it("has all values of one description, and takes null for what is not there", () => {
		const context = [
			{ description: "order", value: "7" },
			{ description: "order", value: "8" },
			{ description: "__proto__", value: "x" },
		];
		const messages = [{ role: "assistant", content: null }, user("Hello?")];
		const fields = { messages, context, tools: null, resume: null, state: null, parentRunId: null };
		expect(read(fields)).toEqual({
			type: "run",
			input: "Hello?",
			context: JSON.parse('{"order":"7\\n8","__proto__":"x"}'),
			options: { threadId: "t", runId: "r", messages },
		});
	});

	it("has what was written before as a conversation", () => {
		const messages = [
			user("Hello?"),
			{ id: "a", role: "assistant", content: "Hello." },
			{ id: "b", role: "assistant", toolCalls: [] },
			{ id: "c", role: "tool", toolCallId: "1", content: "x" },
			{ id: "d", role: "reasoning", content: "Hm." },
			user("Well?"),
		];
		expect(read({ messages })).toMatchObject({
			input: {
				messages: [
					{ role: "user", content: "Hello?" },
					{ role: "assistant", content: "Hello." },
					{ role: "user", content: "Well?" },
				],
			},
		});
	});

	it("has decisions on approvals of one run", () => {
		const resume = [
			{ interruptId: "run_1.7.apr_2", status: "resolved", payload: { approved: true } },
			{ interruptId: "run_1.7.apr_3", status: "resolved", payload: { approved: false, reason: "No." } },
			{ interruptId: "run_1.7.apr_4", status: "cancelled" },
		];
		expect(read({ messages: [], resume })).toMatchObject({
			type: "decisions",
			run_id: "run_1",
			options: { after: 7 },
			decisions: [
				{ approval_id: "apr_2", decision: "approve" },
				{ approval_id: "apr_3", decision: "deny", reason: "No." },
				{ approval_id: "apr_4", decision: "deny" },
			],
		});
	});

	const resumed = (entry: object) => ({ messages: [], resume: [entry] });
	it.each([
		[{ messages: [user("x")], threadId: "" }, "threadId"],
		[{ messages: [user("x")], runId: 7 }, "runId"],
		[{}, "messages"],
		[{ messages: [] }, "messages"],
		[{ messages: [user("")] }, "messages"],
		[{ messages: [user("x"), user("")] }, "messages"],
		[{ messages: [user("x")], state: [1] }, "state"],
		[{ messages: [{ id: "m", role: { toString: 1 }, content: "x" }] }, "messages[0].role"],
		[resumed({ interruptId: { toString: 1 }, status: "cancelled" }), "resume[0].interruptId"],
		[{ messages: [{ id: "m", role: "system", content: "x" }] }, "messages[0].role"],
		[{ messages: [user([{ type: "image", source: {} }])] }, "messages[0].content[0]"],
		[{ messages: [user(undefined)] }, "messages[0].content"],
		[{ messages: [user("x")], tools: [{ name: "alert" }] }, "tools"],
		[{ messages: [user("x")], context: [{ description: "a", value: 1 }] }, "context[0]"],
		[resumed({ interruptId: "int-1", status: "cancelled" }), "resume[0].interruptId"],
		[resumed({ interruptId: "run_1.7.apr_2", status: "resolved" }), "resume[0].payload"],
		[
			resumed({ interruptId: "run_1.7.apr_2", status: "resolved", payload: {} }),
			"resume[0].payload.approved",
		],
	])("is invalid: %j", (fields, param) => {
		expect(read(fields)).toMatchObject({ type: "invalid", param });
	});

	it("is invalid for interrupts of two runs", () => {
		const resume = ["run_1.7.apr_2", "run_2.7.apr_2"].map((interruptId) => ({
			interruptId,
			status: "cancelled",
		}));
		expect(read({ messages: [], resume })).toMatchObject({ type: "invalid", param: "resume" });
	});
});
