import { readFileSync } from "node:fs";
import type { ChatReply } from "@stemma/core";
import { createSseReader } from "@stemma/core/sse";
import { expect, it } from "vitest";
import type { Feature } from "./dialect";
import { addKeepsakes, type Keepsakes } from "./keepsakes";
import { EMPTY_STREAM, reduceEvent, toReply } from "./stream-reducer";
import { toRequest } from "./to-request";

function readFixture(name: string): ChatReply {
	const text = readFileSync(new URL(`./__fixtures__/${name}.sse`, import.meta.url), "utf8");
	const state = createSseReader()
		.push(text)
		.reduce((before, event) => reduceEvent(before, event).state, EMPTY_STREAM);
	return toReply(state, "models.example");
}

/** The assistant's message of the next turn, as it is sent. */
function sendBack(
	{ text, toolCalls }: ChatReply,
	vendorHost = "models.example",
	refused: Feature[] = [],
): unknown {
	// Whoever kept it may have written it down.
	const calls = JSON.parse(JSON.stringify(toolCalls));
	const request = { messages: [{ role: "assistant", content: text, toolCalls: calls }] } as const;
	const dialect = { tokenLimit: "max_tokens", refused: new Set(refused) } as const;
	const { messages } = toRequest(request, { model: "m", vendorHost, isStreamed: false, dialect });
	return (messages as unknown[])[0];
}

const call = (id: string, name: string, input: string) => ({
	id,
	type: "function",
	function: { name, arguments: `{"input":"${input}"}` },
});

it("gives Gemini its signature back, with its call", () => {
	expect(sendBack(readFixture("gemini-calls"))).toEqual({
		role: "assistant",
		content: null,
		tool_calls: [
			{
				...call("function-call-1", "faq", "a"),
				extra_content: { google: { thought_signature: "c2ln" } },
			},
			call("function-call-2", "fees", "b"),
		],
	});
});

it("gives DeepSeek the thoughts back that came before a call", () => {
	expect(sendBack(readFixture("deepseek-calls"))).toEqual({
		role: "assistant",
		content: null,
		reasoning_content: "Hm.",
		tool_calls: [call("call_00_x", "faq", "a"), call("call_01_y", "fees", "b")],
	});
});

it("gives OpenRouter the thoughts back as they came", () => {
	expect(sendBack(readFixture("openrouter-calls"))).toMatchObject({
		reasoning_details: [
			{ type: "reasoning.summary", summary: "Hm.", index: 0 },
			{ type: "reasoning.encrypted", data: "c2ln", id: "tool_0_faq", index: 0 },
		],
	});
});

it("puts details together that came word by word", () => {
	const detail = (rest: object) => ({ type: "reasoning.text", index: 0, ...rest });
	const deltas = [
		[detail({ text: "H" }), detail({ text: "m" })],
		[detail({ text: "." })],
		[detail({ signature: "c2ln", format: "f" })],
		[detail({ index: 1, text: "So" })],
		[{ type: "reasoning.encrypted", index: 1, data: "x" }],
		null,
	];
	const kept = deltas.reduce<Keepsakes | undefined>(
		(before, details) => addKeepsakes(before, { reasoning_details: details }),
		undefined,
	);
	expect(kept?.reasoning_details).toEqual([
		detail({ text: "Hm.", signature: "c2ln", format: "f" }),
		detail({ index: 1, text: "So" }),
		{ type: "reasoning.encrypted", index: 1, data: "x" },
	]);
});

it("gives nothing to others, nor what is refused, and keeps nothing where nothing is asked back", () => {
	for (const name of ["gemini-calls", "deepseek-calls", "openrouter-calls"]) {
		const plain = sendBack(readFixture(name), "others.example");
		expect(JSON.stringify(plain)).not.toMatch(/extra_content|reasoning|c2ln|Hm/);
		const refused: Feature[] = ["extra_content", "reasoning_content", "reasoning_details"];
		expect(sendBack(readFixture(name), "models.example", refused)).toEqual(plain);
	}
	for (const { vendorData } of readFixture("ollama-calls").toolCalls) expect(vendorData).toBeUndefined();
});
