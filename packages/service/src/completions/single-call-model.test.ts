import type { ChatModel, ChatRequest } from "@stemma/core";
import { expect, it } from "vitest";
import { toSingleCallModel } from "./single-call-model";

it.each([
	["openai-compatible", { seed: 1, parallelToolCalls: false }],
	["bedrock", { seed: 1 }],
])("asks for one call where the format has a field for it: %s", async (provider, settings) => {
	const requests: ChatRequest[] = [];
	const model: ChatModel = {
		provider,
		model: "m",
		vendorHost: "",
		async generate(request) {
			requests.push(request);
			return { text: "", toolCalls: [], finishReason: "stop" };
		},
		async *stream(request) {
			requests.push(request);
			yield { type: "text.delta", text: "" };
		},
	};
	const request = { messages: [], settings: { seed: 1, parallelToolCalls: false } };
	const singleCallModel = toSingleCallModel(model);
	await singleCallModel.generate(request);
	for await (const _ of singleCallModel.stream(request));
	expect(requests).toEqual([
		{ messages: [], settings },
		{ messages: [], settings },
	]);
});
