import type { ChatRequest } from "@stemma/core";
import { expect, it } from "vitest";
import { toChatCompletion } from "./chat-request";

const SERVICE = {
	provider: "openai-compatible",
	vendorHost: "models.example",
	model: "m",
	requestedModel: "default",
	requestedProvider: undefined,
	knowledgeBases: [],
	headers: {},
	hidesReceipts: false,
};
const messages = [{ role: "user", content: "Hello?" }] as const;
const tools = [{ name: "faq", parameters: { type: "object" }, strict: true }];
const toBody = (request: Partial<ChatRequest>) => toChatCompletion({ messages, ...request }, SERVICE);

it("hands on all settings, under OpenAI's names", () => {
	const settings = {
		temperature: 0.5,
		topP: 0.5,
		seed: 7,
		stop: ["END"],
		frequencyPenalty: 0.5,
		presencePenalty: -0.5,
		logitBias: { 42: -100 },
		reasoningEffort: "low",
		verbosity: "high",
		parallelToolCalls: false,
	};
	expect(toBody({ settings, temperature: 0.1 })).toMatchObject({
		temperature: 0.5,
		top_p: 0.5,
		seed: 7,
		stop: ["END"],
		frequency_penalty: 0.5,
		presence_penalty: -0.5,
		logit_bias: { 42: -100 },
		reasoning_effort: "low",
		verbosity: "high",
		parallel_tool_calls: false,
	});
});

it.each([
	[undefined, "auto"],
	["required", "required"],
	[{ name: "faq" }, { type: "function", function: { name: "faq" } }],
] as const)("hands on the choice of tools %j", (toolChoice, tool_choice) => {
	const body = toBody({ tools, ...(toolChoice === undefined ? {} : { toolChoice }) });
	expect(body).toMatchObject({ tool_choice, tools: [{ function: { name: "faq", strict: true } }] });
});

it("hands on the output that is wanted", () => {
	const schema = { type: "object" };
	expect(toBody({ output: {} }).response_format).toEqual({ type: "json_object" });
	expect(toBody({ outputSchema: schema, output: { name: "place", strict: true } }).response_format).toEqual({
		type: "json_schema",
		json_schema: { name: "place", strict: true, schema },
	});
	expect(toBody({})).not.toHaveProperty("response_format");
});
