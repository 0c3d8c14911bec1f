import { type BedrockSimulator, startBedrockSimulator } from "@stemma/simulators/bedrock";
import { afterAll, beforeAll } from "vitest";
import { checkChatModelContract } from "../test-support/chat-model-contract";
import { createBedrockModel } from "./create";

const KEYS = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY" };
const CALLS = ["faq", "fees"].map((name) => ({ id: `tooluse_${name}`, name, input: { input: "Late?" } }));

let simulator: BedrockSimulator;
beforeAll(async () => {
	simulator = await startBedrockSimulator({
		region: "eu-central-1",
		credentials: [KEYS],
		bearerKeys: ["bedrock-api-key-test"],
		behaviour: ({ toolConfig }) =>
			toolConfig === undefined
				? { kind: "reply", text: "A late return costs 12 euro.", reasoning: "Hm." }
				: { kind: "reply", toolCalls: CALLS },
	});
});
afterAll(() => simulator.close());
const question = { role: "user", content: "What does a late return cost?" } as const;

const credentials = {
	"AWS keys": { ...KEYS, region: "eu-central-1" },
	"an API key": { apiKey: "bedrock-api-key-test" },
};

for (const [name, credential] of Object.entries(credentials))
	checkChatModelContract(`bedrock with ${name}`, {
		createModel: () =>
			createBedrockModel({ baseUrl: simulator.baseUrl, model: "eu.amazon.nova-lite-v1:0", credential }),
		textRequest: { messages: [question], temperature: 0, maxOutputTokens: 50 },
		callsRequest: {
			messages: [question],
			tools: ["faq", "fees"].map((name) => ({ name, kind: "knowledge", parameters: { type: "object" } })),
		},
	});
