// Clients of OpenAI's format as they are: each gets a base URL and an API key, and nothing else that is Stemma's.
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import createInstructor from "@instructor-ai/instructor";
import { tool as defineLangChainTool } from "@langchain/core/tools";
import { ChatOpenAI } from "@langchain/openai";
import {
	Agent,
	tool as defineAgentTool,
	OpenAIChatCompletionsModel,
	run,
	setTracingDisabled,
} from "@openai/agents";
import { tool as defineTool, generateObject, generateText, Output, stepCountIs, streamObject } from "ai";
import OpenAI4 from "openai-4";
import OpenAI6 from "openai-6";
import OpenAI7 from "openai-7";
import { z } from "zod";
import { z as z3 } from "zod-3";

setTracingDisabled(true);

const prompt = "Which city is it, and since when? Say it in JSON.";
const messages = [{ role: "user", content: prompt }];
const location = z.object({ city: z.string(), year: z.number() });
const locationOf3 = z3.object({ city: z3.string(), year: z3.number() });
const LOCATION = {
	type: "object",
	properties: { city: { type: "string" }, year: { type: "number" } },
	required: ["city", "year"],
	additionalProperties: false,
};

const createAiSdk = ({ baseURL, apiKey }) =>
	createOpenAICompatible({ name: "stemma", baseURL, apiKey })("default");
const aiSdkTools = {
	locate: defineTool({
		description: "Finds a place.",
		inputSchema: location,
		execute: async ({ city }) => `It is ${city}.`,
	}),
};
const callAiSdkTool = async (access, toolChoice) => {
	const { toolCalls } = await generateText({
		model: createAiSdk(access),
		prompt,
		tools: aiSdkTools,
		toolChoice,
		stopWhen: stepCountIs(1),
		maxRetries: 0,
	});
	return toolCalls.map(({ toolName, input }) => [toolName, input]);
};

/** The AI SDK, by the defaults of its provider for compatible endpoints. */
export const aiSdk = {
	generateObject: async (access) =>
		(await generateObject({ model: createAiSdk(access), schema: location, prompt, maxRetries: 0 })).object,
	streamObject: async (access) => {
		const { partialObjectStream } = streamObject({
			model: createAiSdk(access),
			schema: location,
			prompt,
			maxRetries: 0,
		});
		let object;
		for await (object of partialObjectStream);
		return object;
	},
	outputObject: async (access) =>
		(
			await generateText({
				model: createAiSdk(access),
				output: Output.object({ schema: location }),
				prompt,
				maxRetries: 0,
			})
		).output,
	settings: async (access) =>
		(
			await generateText({
				model: createAiSdk(access),
				prompt,
				maxRetries: 0,
				temperature: 0.5,
				topP: 0.5,
				seed: 7,
				stopSequences: ["END"],
				frequencyPenalty: 0.5,
				presencePenalty: 0.5,
			})
		).text,
	toolAuto: (access) => callAiSdkTool(access, "auto"),
	toolRequired: (access) => callAiSdkTool(access, "required"),
	toolNamed: (access) => callAiSdkTool(access, { type: "tool", toolName: "locate" }),
};

const createLangChain = ({ baseURL, apiKey }, options = {}) =>
	new ChatOpenAI({ model: "default", apiKey, configuration: { baseURL }, maxRetries: 0, ...options });
const structure = (access, method) =>
	createLangChain(access).withStructuredOutput(location, { name: "locate", method }).invoke(prompt);
const locate = defineLangChainTool(async ({ city }) => city, {
	name: "locate",
	description: "Finds a place.",
	schema: location,
});
const callLangChainTool = async (access, tool_choice) => {
	const { tool_calls } = await createLangChain(access).bindTools([locate], { tool_choice }).invoke(prompt);
	return tool_calls.map(({ name, args }) => [name, args]);
};

/** LangChain. */
export const langChain = {
	functionCalling: (access) => structure(access, "functionCalling"),
	jsonMode: (access) => structure(access, "jsonMode"),
	jsonSchema: (access) => structure(access, "jsonSchema"),
	settings: async (access) =>
		(
			await createLangChain(access, {
				temperature: 0.5,
				topP: 0.5,
				stop: ["END"],
				frequencyPenalty: 0.5,
				presencePenalty: 0.5,
			}).invoke(prompt)
		).content,
	toolAuto: (access) => callLangChainTool(access, "auto"),
	toolRequired: (access) => callLangChainTool(access, "required"),
	toolAny: (access) => callLangChainTool(access, "any"),
	toolNamed: (access) => callLangChainTool(access, "locate"),
};

const extract = async ({ baseURL, apiKey }, mode) => {
	const client = createInstructor({ client: new OpenAI4({ baseURL, apiKey, maxRetries: 0 }), mode });
	const { city, year } = await client.chat.completions.create({
		model: "default",
		messages,
		response_model: { schema: locationOf3, name: "locate" },
		max_retries: 0,
	});
	return { city, year };
};

/** Instructor, in each of its modes. */
export const instructor = Object.fromEntries(
	["TOOLS", "FUNCTIONS", "JSON", "JSON_SCHEMA", "MD_JSON"].map((mode) => [
		mode,
		(access) => extract(access, mode),
	]),
);

const runAgent = async ({ baseURL, apiKey }, options) => {
	const model = new OpenAIChatCompletionsModel(new OpenAI7({ baseURL, apiKey, maxRetries: 0 }), "default");
	const agent = new Agent({ name: "guide", instructions: "Find places.", model, ...options });
	return (await run(agent, prompt)).finalOutput;
};

/** The OpenAI Agents SDK, over chat completions. */
export const agents = {
	outputType: (access) => runAgent(access, { outputType: location }),
	tool: (access) =>
		runAgent(access, {
			tools: [
				defineAgentTool({
					name: "locate",
					description: "Finds a place.",
					parameters: location,
					execute: async ({ city }) => `It is ${city}.`,
				}),
			],
			modelSettings: { toolChoice: "required", topP: 0.5, parallelToolCalls: false },
		}),
};

const SETTINGS = {
	temperature: 1.5,
	top_p: 0.5,
	seed: 7,
	stop: ["END"],
	frequency_penalty: 0.5,
	presence_penalty: 0.5,
	logit_bias: { 42: -100 },
	reasoning_effort: "low",
};

/** The openai package in one of its versions. */
function createOpenAi(OpenAI) {
	const connect = (access) => new OpenAI({ ...access, maxRetries: 0 }).chat.completions;
	const ask = { model: "default", messages };
	return {
		settings: async (access) =>
			(await connect(access).create({ ...ask, ...SETTINGS })).choices[0].message.content,
		stream: async (access) => {
			let text = "";
			for await (const { choices } of await connect(access).create({ ...ask, stream: true }))
				text += choices[0]?.delta?.content ?? "";
			return text;
		},
		jsonSchema: async (access) => {
			const json_schema = { name: "place", strict: true, schema: LOCATION };
			const response_format = { type: "json_schema", json_schema };
			const { choices } = await connect(access).create({ ...ask, response_format });
			return JSON.parse(choices[0].message.content);
		},
		toolNamed: async (access) => {
			const { choices } = await connect(access).create({
				...ask,
				tools: [{ type: "function", function: { name: "locate", strict: true, parameters: LOCATION } }],
				tool_choice: { type: "function", function: { name: "locate" } },
			});
			return choices[0].message.tool_calls.map(({ function: { name, arguments: text } }) => [
				name,
				JSON.parse(text),
			]);
		},
		model: async (access) => (await new OpenAI(access).models.retrieve("default")).id,
		error: async (access) => {
			const { status, type, code, param } = await connect(access)
				.create({ ...ask, n: 2 })
				.catch((error) => error);
			return [status, type, code, param];
		},
	};
}

export const openAi = { 4: createOpenAi(OpenAI4), 6: createOpenAi(OpenAI6), 7: createOpenAi(OpenAI7) };
