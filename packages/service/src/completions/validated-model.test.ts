import type { ChatEvent, ChatModel } from "@stemma/core";
import { expect, it } from "vitest";
import { inProcessSchemaChecker } from "../schema-check/test-support/in-process-checker";
import { withReplyValidation } from "./validated-model";

const FENCED = '```json\n{"a":1}\n```';

/** A vendor that streams a text in pieces of three characters. */
function streaming(text: string): ChatModel {
	const reply = { text, toolCalls: [], finishReason: "stop" as const };
	return {
		provider: "openai-compatible",
		model: "m",
		vendorHost: "",
		generate: async () => reply,
		async *stream() {
			for (const piece of text.match(/[\s\S]{1,3}/g) ?? []) yield { type: "text.delta", text: piece };
			yield { type: "finish", reply };
		},
	};
}

async function read(text: string): Promise<{ streamed: string; end: ChatEvent | undefined }> {
	const events: ChatEvent[] = [];
	for await (const event of withReplyValidation(streaming(text), inProcessSchemaChecker).stream({
		messages: [],
		output: {},
	}))
		events.push(event);
	const streamed = events.map((event) => (event.type === "text.delta" ? event.text : "")).join("");
	return { streamed, end: events.at(-1) };
}

it("streams JSON without the fence around it", async () => {
	const streamed = '{"a":1}';
	expect(await read(FENCED)).toMatchObject({ streamed, end: { type: "finish", reply: { text: streamed } } });
});

it.each([`Here it is:\n${FENCED}`, `${FENCED}\nGood?`])(
	"checks the text that was streamed: %j",
	async (text) => {
		await expect(read(text)).rejects.toMatchObject({ code: "output_invalid" });
	},
);
