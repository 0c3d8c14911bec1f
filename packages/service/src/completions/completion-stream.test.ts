import type { Citation } from "@stemma/core";
import { expect, it } from "vitest";
import type { ReplyEvent, ResponderReply } from "../replies/reply";
import { createCompletionEncoder } from "./completion-stream";

const head = { id: "chatcmpl-1", created: 1, model: "agent:desk", canSeeReceipt: true };
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
const reply: ResponderReply = {
	text: "Five days [1].",
	toolCalls: [],
	finishReason: "stop",
	answer: {
		citations: [citation],
		receipt: [],
		usage: { input_tokens: 3, output_tokens: 2, model_calls: 1, steps: 1 },
		fields: { run_id: "run_1" },
	},
};

interface Chunk {
	readonly choices: readonly { readonly delta: { readonly role?: string; readonly content?: string } }[];
}
const encodeAll = (events: readonly ReplyEvent[], includeUsage = false): Chunk[] =>
	events
		.flatMap(createCompletionEncoder(head, includeUsage))
		.map((chunk) => (typeof chunk === "string" ? JSON.parse(chunk) : chunk));

it("begins once, and ends with citations, the reason and what Stemma adds", () => {
	const chunks = encodeAll([
		{ type: "start" },
		{ type: "text.delta", text: "Five days " },
		{ type: "text.delta", text: "[1]." },
		{ type: "finish", reply },
	]);
	expect(chunks.map(({ choices }) => choices[0]?.delta)).toEqual([
		{ role: "assistant", content: "" },
		{ content: "Five days " },
		{ content: "[1]." },
		{
			annotations: [
				{
					type: "url_citation",
					url_citation: { start_index: 10, end_index: 13, title: "Returns", url: "https://a.example/" },
				},
			],
		},
		{},
	]);
	expect(chunks.at(-1)).toMatchObject({
		choices: [{ finish_reason: "stop" }],
		stemma: { run_id: "run_1", citations: [citation], receipt: [] },
	});
});

it("puts the answer into a paragraph behind what was not it, and cites it there", () => {
	const chunks = encodeAll([
		{ type: "text.reset" },
		{ type: "text.delta", text: "Let me look." },
		{ type: "text.reset" },
		{ type: "text.reset" },
		{ type: "text.delta", text: "Five days [1]." },
		{ type: "finish", reply },
	]);
	const text = chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join("");
	expect(text).toBe("Let me look.\n\nFive days [1].");
	const start_index = text.indexOf("[1]");
	expect(chunks.at(-2)).toMatchObject({
		choices: [{ delta: { annotations: [{ url_citation: { start_index } }] } }],
	});
});

it("gives usage in a chunk of its own where it was asked for", () => {
	const chunks = encodeAll([{ type: "finish", reply }], true);
	expect(chunks.at(-1)).toMatchObject({
		choices: [],
		usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
		stemma: { run_id: "run_1" },
	});
	expect(chunks.at(-2)).not.toHaveProperty("stemma");
});
