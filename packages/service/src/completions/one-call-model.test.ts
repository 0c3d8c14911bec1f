import type { ChatModel, ChatRequest } from "@stemma/core";
import { expect, it } from "vitest";
import { toOneCallModel } from "./one-call-model";

it.each([
	["openai-compatible", { seed: 1, parallelToolCalls: false }],
	["bedrock", { seed: 1 }],
])("asks for one call where the format has a field for it: %s", async (provider, settings) => {
	const asked: ChatRequest[] = [];
	const model: ChatModel = {
		provider,
		model: "m",
		vendorHost: "",
		async generate(request) {
			asked.push(request);
			return { text: "", toolCalls: [], finishReason: "stop" };
		},
		async *stream(request) {
			asked.push(request);
			yield { type: "text.delta", text: "" };
		},
	};
	const request = { messages: [], settings: { seed: 1, parallelToolCalls: false } };
	const wrapped = toOneCallModel(model);
	await wrapped.generate(request);
	for await (const _ of wrapped.stream(request));
	expect(asked).toEqual([
		{ messages: [], settings },
		{ messages: [], settings },
	]);
});
