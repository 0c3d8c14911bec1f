import { createBedrockModel } from "../../../packages/routing/dist/bedrock.js";
import { createOpenAiCompatibleModel } from "../../../packages/routing/dist/openai-compatible.js";
import { createFetch } from "./transport.mjs";

const request = { messages: [{ role: "user", content: "A question." }] };

export const prepareBedrock = (pieces) =>
	prepare(
		createBedrockModel({
			baseUrl: "https://bedrock-runtime.us-east-1.amazonaws.com",
			model: "us.amazon.nova-lite-v1:0",
			credential: { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "a-secret-of-nobody" },
			fetch: createFetch("application/vnd.amazon.eventstream", pieces),
		}),
	);

export const prepareCompletions = (pieces) =>
	prepare(
		createOpenAiCompatibleModel({
			baseUrl: "https://api.example.com/v1",
			model: "gpt-5.1",
			apiKey: "a-secret-of-nobody",
			fetch: createFetch("text/event-stream", pieces),
		}),
	);

function prepare(model) {
	return async (onText) => {
		for await (const event of model.stream(request)) if (event.type === "text.delta") onText(event.text);
	};
}
