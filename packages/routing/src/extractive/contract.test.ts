import { checkChatModelContract } from "../test-support/chat-model-contract";
import { createExtractiveModel } from "./create";

const PASSAGES = JSON.stringify({
	query: "q",
	passages: [{ n: 1, document: "Fees", text: "A late return costs 12 euro." }],
});
const question = { role: "user", content: "What does a late return cost?" } as const;

checkChatModelContract("extractive", {
	createModel: createExtractiveModel,
	textRequest: {
		messages: [
			{
				role: "user",
				content: `-----BEGIN DATA t faq (knowledge)-----\n${PASSAGES}\n-----END DATA t-----`,
			},
			question,
		],
	},
	callsRequest: {
		messages: [question],
		tools: ["faq", "fees"].map((name) => ({ name, kind: "knowledge", parameters: { type: "object" } })),
	},
});
