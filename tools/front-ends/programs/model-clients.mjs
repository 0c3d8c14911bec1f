import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import Anthropic from "@anthropic-ai/sdk";
import { ChatOpenAI } from "@langchain/openai";
import { generateText, isStepCount, jsonSchema, streamText, tool } from "ai";

// Clients of OpenAI and Anthropic, unchanged, each with the same functions. An `access` is `{origin, apiKey, fetch, model}`.

const PARAMETERS = { type: "object", properties: { zone: { type: "string" } }, required: ["zone"] };

/** The AI SDK, with a model of one of its providers. */
const aiSdk = (toModel) => ({
	async ask(access, prompt) {
		const { text, sources, usage } = await generateText({ model: toModel(access), prompt, maxRetries: 0 });
		return { text, urls: toUrls(sources), tokens: usage.totalTokens };
	},
	async stream(access, prompt) {
		const errors = [];
		const result = streamText({
			model: toModel(access),
			prompt,
			maxRetries: 0,
			onError: ({ error }) => errors.push(error),
		});
		let text = "";
		let pieces = 0;
		for await (const delta of result.textStream) {
			text += delta;
			pieces += 1;
		}
		if (errors.length > 0) throw errors[0];
		return { text, pieces, urls: toUrls(await result.sources) };
	},
	async continue(access, prompts) {
		const messages = [];
		for (const content of prompts) {
			messages.push({ role: "user", content });
			const { response } = await generateText({ model: toModel(access), messages, maxRetries: 0 });
			messages.push(...response.messages);
		}
		return messages.map(({ content }) =>
			typeof content === "string" ? content : content.map(({ text = "" }) => text).join(""),
		);
	},
	async callTool(access, prompt) {
		const calls = [];
		const clock = tool({
			description: "Tells the time.",
			inputSchema: jsonSchema(PARAMETERS),
			execute: async (input) => {
				calls.push(input);
				return "12:00";
			},
		});
		const { text } = await generateText({
			model: toModel(access),
			prompt,
			tools: { clock },
			stopWhen: isStepCount(3),
			maxRetries: 0,
		});
		return { text, calls };
	},
});

const toUrls = (sources) => sources.flatMap(({ url }) => url ?? []);

const withHeaders = ({ origin, apiKey, fetch }) => ({ baseURL: `${origin}/v1`, apiKey, fetch });

export const aiSdkResponses = aiSdk((access) => createOpenAI(withHeaders(access)).responses(access.model));
export const aiSdkChat = aiSdk((access) => createOpenAI(withHeaders(access)).chat(access.model));
export const aiSdkAnthropic = aiSdk((access) => createAnthropic(withHeaders(access))(access.model));

const openAnthropic = ({ origin, apiKey, fetch }) =>
	new Anthropic({ baseURL: origin, apiKey, fetch, maxRetries: 0 });
const textOf = ({ content }) => content.map(({ text = "" }) => text).join("");

const citedUrls = ({ content }) => toUrls(content.flatMap(({ citations }) => citations ?? []));

export const anthropic = {
	async ask(access, prompt) {
		const message = await openAnthropic(access).messages.create({
			model: access.model,
			max_tokens: 1000,
			messages: [{ role: "user", content: prompt }],
		});
		const { input_tokens, output_tokens } = message.usage;
		return { text: textOf(message), urls: citedUrls(message), tokens: input_tokens + output_tokens };
	},
	async stream(access, prompt) {
		const stream = openAnthropic(access).messages.stream({
			model: access.model,
			max_tokens: 1000,
			messages: [{ role: "user", content: prompt }],
		});
		let pieces = 0;
		stream.on("text", () => {
			pieces += 1;
		});
		const message = await stream.finalMessage();
		return { text: textOf(message), pieces, urls: citedUrls(message) };
	},
	async continue(access, prompts) {
		const client = openAnthropic(access);
		const messages = [];
		for (const content of prompts) {
			messages.push({ role: "user", content });
			const { role, content: blocks } = await client.messages.create({
				model: access.model,
				max_tokens: 1000,
				messages,
			});
			messages.push({ role, content: blocks });
		}
		return messages.map(({ content }) => (typeof content === "string" ? content : textOf({ content })));
	},
	async callTool(access, prompt) {
		const client = openAnthropic(access);
		const messages = [{ role: "user", content: prompt }];
		const request = {
			model: access.model,
			max_tokens: 1000,
			messages,
			tools: [{ name: "clock", description: "Tells the time.", input_schema: PARAMETERS }],
		};
		const first = await client.messages.stream(request).finalMessage();
		const calls = first.content.filter(({ type }) => type === "tool_use");
		messages.push(
			{ role: "assistant", content: first.content },
			{
				role: "user",
				content: calls.map(({ id }) => ({ type: "tool_result", tool_use_id: id, content: "12:00" })),
			},
		);
		const second = await client.messages.create(request);
		return { text: textOf(second), calls: calls.map(({ input }) => input) };
	},
	countTokens: (access, prompt) =>
		openAnthropic(access).messages.countTokens({
			model: access.model,
			messages: [{ role: "user", content: prompt }],
		}),
};

/** LangChain, over chat completions or responses. */
const langChain = (useResponsesApi) => {
	const open = ({ origin, apiKey, fetch, model }) =>
		new ChatOpenAI({
			model,
			apiKey,
			maxRetries: 0,
			useResponsesApi,
			configuration: { baseURL: `${origin}/v1`, fetch },
		});
	return {
		async ask(access, prompt) {
			const message = await open(access).invoke(prompt);
			return { text: message.text, urls: undefined, tokens: message.usage_metadata.total_tokens };
		},
		async stream(access, prompt) {
			let text = "";
			let pieces = 0;
			for await (const chunk of await open(access).stream(prompt)) {
				if (chunk.text !== "") pieces += 1;
				text += chunk.text;
			}
			return { text, pieces, urls: undefined };
		},
		async continue(access, prompts) {
			const model = open(access);
			const messages = [];
			for (const content of prompts) {
				messages.push({ role: "user", content });
				messages.push(await model.invoke(messages));
			}
			return messages.map(({ text, content }) => text ?? content);
		},
		async callTool(access, prompt) {
			const clock = { name: "clock", description: "Tells the time.", schema: PARAMETERS };
			const model = open(access).bindTools([clock]);
			const first = await model.invoke(prompt);
			const results = first.tool_calls.map(({ id }) => ({
				role: "tool",
				tool_call_id: id,
				content: "12:00",
			}));
			const second = await model.invoke([{ role: "user", content: prompt }, first, ...results]);
			return { text: second.text, calls: first.tool_calls.map(({ args }) => args) };
		},
	};
};

export const langChainChat = langChain(false);
export const langChainResponses = langChain(true);

export { Anthropic };
