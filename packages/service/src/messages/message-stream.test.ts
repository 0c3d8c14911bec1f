import { expect, it } from "vitest";
import type { ReplyEvent, ResponderReply } from "../replies/reply";
import { createMessageEncoder, type MessageEvent } from "./message-stream";
import { toMessage } from "./to-message";

const context = { id: "msg_1", model: "m", canSeeReceipt: true };
const reply: ResponderReply = { text: "Five days.", toolCalls: [], finishReason: "stop" };
const encodeAll = (events: readonly ReplyEvent[]): readonly MessageEvent[] =>
	events.flatMap(createMessageEncoder(context));
const typesOf = (events: readonly MessageEvent[]): readonly string[] => events.map(({ type }) => type);

it("streams text as one block", () => {
	const events = encodeAll([
		{ type: "start" },
		{ type: "text.delta", text: "Five " },
		{ type: "text.delta", text: "days." },
		{ type: "finish", reply },
	]);
	expect(typesOf(events)).toEqual([
		"message_start",
		"content_block_start",
		"content_block_delta",
		"content_block_delta",
		"content_block_stop",
		"message_delta",
		"message_stop",
	]);
	expect(events.at(-2)).toMatchObject({ delta: { stop_reason: "end_turn", stop_sequence: null } });
});

it("cites documents with an address in the block of the answer", () => {
	const place = { start: 0, end: 4 };
	const passage = {
		document_id: "doc_1",
		title: "Returns",
		place,
		text: "Five.",
		support: "quoted" as const,
	};
	const answer = {
		citations: [
			{ ...passage, n: 1, passage_id: "psg_1", url: "https://a.example/" },
			{ ...passage, n: 2, passage_id: "psg_2" },
		],
		receipt: [],
		usage: { input_tokens: 3, output_tokens: 2, model_calls: 1, steps: 1 },
		fields: {},
	};
	const citation = {
		type: "web_search_result_location",
		cited_text: "Five.",
		title: "Returns",
		url: "https://a.example/",
		encrypted_index: "",
	};
	expect(toMessage(context, { ...reply, answer })).toMatchObject({ content: [{ citations: [citation] }] });
	const events = encodeAll([
		{ type: "text.delta", text: "Five days." },
		{ type: "finish", reply: { ...reply, answer } },
	]);
	expect(events).toContainEqual({
		type: "content_block_delta",
		index: 0,
		delta: { type: "citations_delta", citation },
	});
});

it("has blocks of their own for thinking, text that is not the answer, and calls", () => {
	const toolCalls = [{ id: "call_1", name: "clock", arguments: '{"zone":"UTC"}' }];
	const events = encodeAll([
		{ type: "reasoning.delta", text: "Hm." },
		{ type: "text.delta", text: "Let me look." },
		{ type: "text.reset" },
		{ type: "text.delta", text: "One moment." },
		{ type: "finish", reply: { ...reply, toolCalls, finishReason: "tool_calls" } },
	]);
	const blocks = events.filter(({ type }) => type === "content_block_start");
	expect(blocks.map(({ index, content_block }) => [index, (content_block as { type: string }).type])).toEqual(
		[
			[0, "thinking"],
			[1, "text"],
			[2, "text"],
			[3, "tool_use"],
		],
	);
	expect(events).toContainEqual({
		type: "content_block_delta",
		index: 3,
		delta: { type: "input_json_delta", partial_json: '{"zone":"UTC"}' },
	});
	expect(events.at(-2)).toMatchObject({ delta: { stop_reason: "tool_use" } });
});

it.each([
	["length", "max_tokens"],
	["filtered", "refusal"],
	["other", "end_turn"],
] as const)("says of the reason %s that it is %s", (finishReason, stop_reason) => {
	expect(toMessage(context, { ...reply, finishReason })).toMatchObject({ stop_reason });
});

it("has calls whole, with their arguments as JSON, and refuses others", () => {
	const toCallReply = (text: string): ResponderReply => ({
		text: "",
		toolCalls: [{ id: "c", name: "clock", arguments: text }],
		finishReason: "tool_calls",
	});
	expect(toMessage(context, toCallReply('{"zone":"UTC"}'))).toMatchObject({
		content: [{ type: "tool_use", id: "c", name: "clock", input: { zone: "UTC" } }],
	});
	expect(toMessage(context, toCallReply(""))).toMatchObject({ content: [{ input: {} }] });
	for (const text of ["{", "[]", "7"])
		expect(() => toMessage(context, toCallReply(text))).toThrow(
			expect.objectContaining({ code: "output_invalid" }),
		);
});

it("counts tokens from a cache by themselves", () => {
	const receipt = {
		stage: "answer" as const,
		payer: "none" as const,
		provider: "p",
		vendor_host: "",
		model: "m",
		input_tokens: 10,
		output_tokens: 2,
		cached_tokens: 4,
		ms: 1,
		attempts: 1,
		reason: "It is a test.",
	};
	expect(toMessage(context, { ...reply, receipt })).toMatchObject({
		usage: { input_tokens: 6, cache_read_input_tokens: 4, output_tokens: 2 },
		stemma: { receipt: [receipt] },
	});
	expect(
		toMessage({ ...context, canSeeReceipt: false }, { ...reply, receipt, reasoning: "Hm." }),
	).toMatchObject({
		content: [{ type: "text" }],
		stemma: { receipt: [] },
	});
});
