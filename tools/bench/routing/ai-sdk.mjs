import { createAmazonBedrock } from "@ai-sdk/amazon-bedrock";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { streamText } from "ai";
import { createFetch } from "./transport.mjs";

const request = { prompt: [{ role: "user", content: [{ type: "text", text: "A question." }] }] };

/** The provider alone. */
export const prepareBedrock = (pieces) =>
	prepareProvider(
		createAmazonBedrock({
			region: "us-east-1",
			accessKeyId: "AKIDEXAMPLE",
			secretAccessKey: "a-secret-of-nobody",
			fetch: createFetch("application/vnd.amazon.eventstream", pieces),
		})("us.amazon.nova-lite-v1:0"),
	);

/** The provider alone. */
export const prepareCompletions = (pieces) => prepareProvider(createCompletionsModel(pieces));

/** As the SDK's users call it. */
export function prepareStreamText(pieces) {
	const model = createCompletionsModel(pieces);
	return async (onText) => {
		for await (const text of streamText({ model, prompt: "A question." }).textStream) onText(text);
	};
}

const createCompletionsModel = (pieces) =>
	createOpenAICompatible({
		name: "example",
		baseURL: "https://api.example.com/v1",
		apiKey: "a-secret-of-nobody",
		includeUsage: true,
		fetch: createFetch("text/event-stream", pieces),
	})("gpt-5.1");

function prepareProvider(model) {
	return async (onText) => {
		const reader = (await model.doStream(request)).stream.getReader();
		for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read())
			if (value.type === "text-delta") onText(value.delta);
	};
}
