import { type OpenAiSimulator, startOpenAiSimulator } from "@stemma/simulators/openai";
import { afterAll, beforeAll } from "vitest";
import { checkChatModelContract } from "../test-support/chat-model-contract";
import { createOpenAiCompatibleModel } from "./create";

const CALLS = ["faq", "fees"].map((name) => ({ id: `call_${name}`, name, arguments: { input: "Late?" } }));

let simulator: OpenAiSimulator;
beforeAll(async () => {
	simulator = await startOpenAiSimulator({
		behaviour: ({ tools }) =>
			tools === undefined
				? { kind: "reply", text: "A late return costs 12 euro.", reasoning: "Hm." }
				: { kind: "reply", toolCalls: CALLS },
	});
});
afterAll(() => simulator.close());
const question = { role: "user", content: "What does a late return cost?" } as const;

checkChatModelContract("openai-compatible", {
	createModel: () => createOpenAiCompatibleModel({ baseUrl: simulator.baseUrl, model: "gpt-test" }),
	textRequest: { messages: [question], temperature: 0, maxOutputTokens: 50 },
	callsRequest: {
		messages: [question],
		tools: ["faq", "fees"].map((name) => ({ name, kind: "knowledge", parameters: { type: "object" } })),
	},
});
