import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { fromResponse } from "./from-response";

const folder = new URL("./__fixtures__/", import.meta.url);
const ORIGIN = { baseUrl: "https://models.example/v1", model: "m" };
const read = (name: string) => fromResponse(readFileSync(new URL(`${name}.json`, folder), "utf8"), ORIGIN);
const USAGE = { inputTokens: 12, outputTokens: 7 };

/** Id and model of the response, as the fixture has them. */
function named(vendor: string): object {
	const { id, model } = JSON.parse(readFileSync(new URL(`${vendor}.json`, folder), "utf8"));
	return { ...(id && { responseId: id }), ...(model && { responseModel: model }) };
}

/** Vendors whose answer has what the model thought. */
const REASONING = "openrouter mistral deepseek vllm ollama lmstudio llamacpp".split(" ");

describe("a whole answer of", () => {
	const VENDORS =
		"openai azure openrouter groq together mistral deepseek vllm sglang tgi ollama lmstudio llamacpp";
	it.each(VENDORS.split(" "))("%s", (vendor) => {
		expect(read(vendor)).toEqual({
			reply: {
				text: "Zwölf.",
				...(REASONING.includes(vendor) && { reasoning: "Hm." }),
				toolCalls: [],
				finishReason: "stop",
				usage: USAGE,
				...named(vendor),
			},
		});
	});

	it("OpenAI, that refuses", () => {
		expect(read("openai-refused")).toMatchObject({
			reply: { text: "I cannot help.", finishReason: "filtered" },
		});
	});

	it("Gemini, with calls that it signs", () => {
		expect(read("gemini-calls")).toMatchObject({
			reply: {
				text: "",
				finishReason: "tool_calls",
				toolCalls: [
					{
						id: "function-call-1",
						name: "faq",
						arguments: '{"input":"a"}',
						providerMetadata: expect.anything(),
					},
					{ id: "function-call-2", name: "fees", arguments: '{"input":"b"}' },
				],
			},
		});
	});

	it("every vendor is known", () => {
		const known = [...VENDORS.split(" "), "openai-refused", "gemini-calls"].map((name) => `${name}.json`);
		expect(readdirSync(folder).filter((file) => file.endsWith(".json"))).toEqual(known.sort());
	});
});

it.each([
	["length", ""],
	["model_length", ""],
	["stop", "{}"],
	[null, "{}"],
])("a call without arguments, ended by %s, has %j", (reason, text) => {
	const message = { tool_calls: [{ id: "1", function: { name: "faq", arguments: "" } }] };
	const body = JSON.stringify({ choices: [{ message, finish_reason: reason }] });
	expect(fromResponse(body, ORIGIN)).toMatchObject({ reply: { toolCalls: [{ arguments: text }] } });
});

describe("what is no answer", () => {
	it.each([
		["", "bad_response"],
		["null", "bad_response"],
		["{}", "bad_response"],
		['{"choices":null}', "bad_response"],
		['{"object":"error","message":"x","code":400,"type":"BadRequestError"}', "bad_request"],
		['{"error":"SECRET","error_type":"overloaded"}', "overloaded"],
		['{"error":{"message":"x","code":402},"user_id":"u"}', "quota"],
	])("%s", (text, code) => {
		expect(fromResponse(text, ORIGIN)).toEqual({ failure: { code } });
	});
});

describe("what is no whole answer", () => {
	const call = (calls: unknown, count = 1) => ({
		message: { content: null, tool_calls: Array.from({ length: count }, () => calls) },
		finish_reason: "tool_calls",
	});
	const DEEP = JSON.stringify(call({ function: { name: "a", arguments: { x: "DEEP" } } })).replace(
		'"DEEP"',
		"[".repeat(200_000) + "]".repeat(200_000),
	);
	const details = (count: number) => ({
		message: { content: "x", reasoning_details: Array.from({ length: count }, (_, index) => ({ index })) },
	});
	it.each([
		["an empty choice", "{}"],
		["a text of the older format", '{"text":"Hello.","finish_reason":"stop"}'],
		["calls that are none", JSON.stringify(call({ function: { arguments: "{}" } }))],
		["a reason of calls alone", '{"message":{"function_call":{}},"finish_reason":"function_call"}'],
		["too many calls", JSON.stringify(call({ function: { name: "a" } }, 257))],
		["too many details", JSON.stringify(details(257))],
		["arguments that are nested too deep", DEEP],
	])("%s", (_, choice) => {
		expect(fromResponse(`{"choices":[${choice}]}`, ORIGIN)).toMatchObject({
			failure: { code: "bad_response" },
		});
	});

	it("an error in its choice", () => {
		const body = '{"choices":[{"message":{"content":"Half"},"error":{"code":429,"message":"x"}}]}';
		expect(fromResponse(body, ORIGIN)).toEqual({ failure: { code: "rate_limited" } });
	});

	it.each([
		["many calls", JSON.stringify(call({ function: { name: "a" } }, 256))],
		["many details", JSON.stringify(details(256))],
		["a reason of calls without, but a text", '{"message":{"content":"x"},"finish_reason":"tool_calls"}'],
	])("but %s are", (_, choice) => {
		expect(fromResponse(`{"choices":[${choice}]}`, ORIGIN)).toHaveProperty("reply");
	});
});
