import OpenAI from "openai";
import { createFetch } from "./transport.mjs";

const request = {
	model: "gpt-5.1",
	messages: [{ role: "user", content: "A question." }],
	stream: true,
	stream_options: { include_usage: true },
};

export function prepareCompletions(pieces) {
	const client = new OpenAI({
		baseURL: "https://api.example.com/v1",
		apiKey: "a-secret-of-nobody",
		fetch: createFetch("text/event-stream", pieces),
	});
	return async (onText) => {
		for await (const { choices } of await client.chat.completions.create(request))
			if (choices[0]?.delta.content) onText(choices[0].delta.content);
	};
}
