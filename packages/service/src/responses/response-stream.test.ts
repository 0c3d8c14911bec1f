import type { Citation } from "@stemma/core";
import { expect, it } from "vitest";
import type { ReplyEvent, ResponderReply } from "../replies/reply";
import { createResponseEncoder, type ResponseEvent } from "./response-stream";

const head = { id: "resp_1", object: "response", model: "m" };
const citation: Citation = {
	n: 1,
	passage_id: "psg_1",
	document_id: "doc_1",
	title: "Returns",
	url: "https://a.example/",
	place: { start: 0, end: 4 },
	text: "text",
	support: "quoted",
};
const reply: ResponderReply = { text: "Five days [1].", toolCalls: [], finishReason: "stop" };

function encodeAll(events: readonly ReplyEvent[], canSeeReceipt = true): readonly ResponseEvent[] {
	const { encode } = createResponseEncoder({ id: "resp_1", head, canSeeReceipt });
	return events.flatMap(encode);
}
const typesOf = (events: readonly ResponseEvent[]): readonly string[] => events.map(({ type }) => type);

it("streams text as a message, with its citations at the end", () => {
	const answer = {
		citations: [citation],
		receipt: [],
		usage: { input_tokens: 3, output_tokens: 2, model_calls: 1, steps: 1 },
		fields: { run_id: "run_1" },
	};
	const events = encodeAll([
		{ type: "start" },
		{ type: "text.delta", text: "Five days " },
		{ type: "text.delta", text: "[1]." },
		{ type: "finish", reply: { ...reply, answer } },
	]);
	expect(typesOf(events)).toEqual([
		"response.created",
		"response.in_progress",
		"response.output_item.added",
		"response.content_part.added",
		"response.output_text.delta",
		"response.output_text.delta",
		"response.output_text.annotation.added",
		"response.output_text.done",
		"response.content_part.done",
		"response.output_item.done",
		"response.completed",
	]);
	expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index));
	const annotation = {
		type: "url_citation",
		start_index: 10,
		end_index: 13,
		title: "Returns",
		url: "https://a.example/",
	};
	expect(events.at(-1)).toMatchObject({
		response: {
			status: "completed",
			output: [
				{
					id: "msg_1_0",
					type: "message",
					content: [{ type: "output_text", text: "Five days [1].", annotations: [annotation] }],
				},
			],
			usage: { input_tokens: 3, output_tokens: 2, total_tokens: 5 },
			stemma: { run_id: "run_1", citations: [citation] },
		},
	});
});

it("ends text that is not the answer as a message which the completed response does not have", () => {
	const events = encodeAll([
		{ type: "text.delta", text: "Let me look." },
		{ type: "text.reset" },
		{ type: "text.reset" },
		{ type: "text.delta", text: "Five days [1]." },
		{ type: "finish", reply },
	]);
	const done = events.filter(({ type }) => type === "response.output_item.done");
	expect(done).toMatchObject([
		{ output_index: 0, item: { id: "msg_1_0", status: "incomplete" } },
		{ output_index: 1, item: { id: "msg_1_1", status: "completed" } },
	]);
	expect(events.at(-1)).toMatchObject({ response: { output: [{ id: "msg_1_1" }] } });
});

it("streams reasoning and calls as items of their own", () => {
	const toolCalls = [{ id: "call_1", name: "clock", arguments: '{"zone":"UTC"}' }];
	const whole: ResponderReply = { text: "", reasoning: "Hm.", toolCalls, finishReason: "tool_calls" };
	const events = encodeAll([
		{ type: "reasoning.delta", text: "Hm." },
		{ type: "finish", reply: whole },
	]);
	expect(typesOf(events).slice(2)).toEqual([
		"response.output_item.added",
		"response.reasoning_text.delta",
		"response.reasoning_text.done",
		"response.output_item.done",
		"response.output_item.added",
		"response.function_call_arguments.delta",
		"response.function_call_arguments.done",
		"response.output_item.done",
		"response.completed",
	]);
	expect(events.at(-1)).toMatchObject({
		response: {
			output: [
				{ type: "reasoning", content: [{ type: "reasoning_text", text: "Hm." }] },
				{ type: "function_call", call_id: "call_1", name: "clock", arguments: '{"zone":"UTC"}' },
			],
		},
	});
	expect(JSON.stringify(encodeAll([{ type: "finish", reply: whole }], false))).not.toContain("Hm.");
});

it("is incomplete where the reply was cut", () => {
	const events = encodeAll([{ type: "finish", reply: { ...reply, finishReason: "length" } }]);
	expect(events.at(-1)).toMatchObject({
		type: "response.incomplete",
		response: { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } },
	});
});

it("fails with an error, in its beginning and in its middle", () => {
	for (const events of [[], [{ type: "text.delta" as const, text: "Five" }]]) {
		const { encode, fail } = createResponseEncoder({ id: "resp_1", head, canSeeReceipt: true });
		const all = [...events.flatMap(encode), ...fail({ code: "timeout", message: "Too slow." })];
		expect(typesOf(all).slice(-2)).toEqual(["error", "response.failed"]);
		expect(all.at(-1)).toMatchObject({
			response: { status: "failed", error: { code: "timeout", message: "Too slow." } },
		});
	}
});
