import { readFileSync } from "node:fs";
import type { ChatReply } from "@stemma/core";
import { createSseReader } from "@stemma/core/sse";
import { expect, it } from "vitest";
import type { Feature } from "./dialect";
import { addReasoningState, type Origin, type ReasoningState } from "./provider-metadata";
import { EMPTY_STREAM, reduceEvent, toReply } from "./stream-reducer";
import { toRequest } from "./to-request";

const ORIGIN = { baseUrl: "https://models.example/v1", model: "m" };

function readFixture(name: string): ChatReply {
	const text = readFileSync(new URL(`./__fixtures__/${name}.sse`, import.meta.url), "utf8");
	const state = createSseReader()
		.push(text)
		.reduce((before, event) => reduceEvent(before, event).state, EMPTY_STREAM);
	return toReply(state, ORIGIN);
}

/** The assistant's message of the next turn, as it is sent. */
function toRequestBody(
	{ text, toolCalls }: ChatReply,
	origin: Partial<Origin> = {},
	unsupported: Feature[] = [],
): unknown {
	// Whoever kept it may have written it down.
	const calls = JSON.parse(JSON.stringify(toolCalls));
	const request = { messages: [{ role: "assistant", content: text, toolCalls: calls }] } as const;
	const dialect = { tokenLimit: "max_tokens", unsupported: new Set(unsupported) } as const;
	const { messages } = toRequest(request, { ...ORIGIN, ...origin, isStreamed: false, dialect });
	return (messages as unknown[])[0];
}

const call = (id: string, name: string, input: string) => ({
	id,
	type: "function",
	function: { name, arguments: `{"input":"${input}"}` },
});

it("gives Gemini its signature back, with its call", () => {
	expect(toRequestBody(readFixture("gemini-calls"))).toEqual({
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
	expect(toRequestBody(readFixture("deepseek-calls"))).toEqual({
		role: "assistant",
		content: null,
		reasoning_content: "Hm.",
		tool_calls: [call("call_00_x", "faq", "a"), call("call_01_y", "fees", "b")],
	});
});

it("gives OpenRouter the thoughts back as they came", () => {
	expect(toRequestBody(readFixture("openrouter-calls"))).toMatchObject({
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
	const sentFields = deltas.reduce<ReasoningState | undefined>(
		(before, details) => addReasoningState(before, { reasoning_details: details }),
		undefined,
	);
	expect(sentFields?.reasoning_details).toEqual([
		detail({ text: "Hm.", signature: "c2ln", format: "f" }),
		detail({ index: 1, text: "So" }),
		{ type: "reasoning.encrypted", index: 1, data: "x" },
	]);
});

it("keeps data and signatures as they came", () => {
	const addAll = (...details: object[]) =>
		details.reduce<ReasoningState | undefined>(
			(before, detail) => addReasoningState(before, { reasoning_details: [detail] }),
			undefined,
		)?.reasoning_details;
	const text = { type: "reasoning.text", index: 0, id: null, signature: null };
	const other = { ...text, text: "Hm.", signature: "c2ln" };
	const signed = { ...text, text: "Hm.", signature: "x", id: "1" };
	expect(
		addAll({ ...text, text: "H" }, { ...text, text: "m.", id: "1" }, { ...text, signature: "x" }, text),
	).toEqual([signed]);
	expect(addAll(signed, other)).toEqual([signed, other]);
	const [one, two] = ["1", "2"].map((id) => ({ type: "reasoning.encrypted", index: 0, data: "x", id }));
	expect(addAll(one ?? {}, two ?? {})).toEqual([one, two]);
	expect(addAll({ type: "t", data: "x" }, { type: "t", data: "y" })).toHaveLength(2);
});

it("gives nothing to another path of the host, and details to no other model", () => {
	const otherEndpoint = { baseUrl: "https://models.example/v1/other" };
	for (const name of ["gemini-calls", "deepseek-calls", "openrouter-calls"])
		expect(JSON.stringify(toRequestBody(readFixture(name), otherEndpoint))).not.toMatch(
			/extra_content|reasoning/,
		);
	expect(toRequestBody(readFixture("openrouter-calls"), { model: "n" })).not.toHaveProperty(
		"reasoning_details",
	);
	expect(toRequestBody(readFixture("deepseek-calls"), { model: "n" })).toHaveProperty("reasoning_content");
});

it("says nothing of the path, which may hold a secret", () => {
	const [call] = readFixture("gemini-calls").toolCalls;
	expect(JSON.stringify(call)).not.toContain("/v1");
});

it("gives nothing to others, nor what is refused, and keeps nothing where nothing is asked back", () => {
	for (const name of ["gemini-calls", "deepseek-calls", "openrouter-calls"]) {
		const plain = toRequestBody(readFixture(name), { baseUrl: "https://others.example/v1" });
		expect(JSON.stringify(plain)).not.toMatch(/extra_content|reasoning|c2ln|Hm/);
		const unsupported: Feature[] = ["extra_content", "reasoning_content", "reasoning_details"];
		expect(toRequestBody(readFixture(name), {}, unsupported)).toEqual(plain);
	}
	for (const { providerMetadata } of readFixture("ollama-calls").toolCalls)
		expect(providerMetadata).toBeUndefined();
});
