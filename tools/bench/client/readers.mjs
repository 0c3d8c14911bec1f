// Who reads a stream of events, each of them given the same bytes. A reader takes every delta of the text.
import { Client } from "@langchain/langgraph-sdk";
import OpenAI from "openai";
import { agents, chatCompletions, createClient } from "../../../packages/client/dist/index.js";
import { writeCompletions } from "../routing/completions-wire.mjs";
import { createFetch, prepareTransport } from "../routing/transport.mjs";
import { writeRun } from "./run-wire.mjs";

export const STEMMA = "Stemma";

const request = { model: "default", messages: [{ role: "user", content: "A question." }] };

const connect = (pieces) =>
	createClient({
		baseUrl: "https://stemma.example",
		clientKey: "ck_nobody_secret",
		fetch: createFetch("text/event-stream", pieces),
	});

const connectOpenAi = (pieces) =>
	new OpenAI({
		baseURL: "https://stemma.example/v1",
		apiKey: "a-secret-of-nobody",
		fetch: createFetch("text/event-stream", pieces),
	});

function readRun(pieces) {
	const { stream } = agents(connect(pieces));
	return async (onText) => {
		for await (const event of stream("desk", { input: "A question." }))
			if (event.type === "text.delta") onText(event.text);
	};
}

/** It makes JSON of whatever events it is sent. */
function readRunByOpenAi(pieces) {
	const client = connectOpenAi(pieces);
	return async (onText) => {
		for await (const event of await client.chat.completions.create({ ...request, stream: true }))
			if (event.type === "text.delta") onText(event.text);
	};
}

function readRunByLangGraph(pieces) {
	const client = new Client({
		apiUrl: "https://stemma.example",
		apiKey: "a-secret-of-nobody",
		callerOptions: { fetch: createFetch("text/event-stream", pieces) },
	});
	return async (onText) => {
		for await (const { data } of client.runs.stream(null, "desk", { input: {}, streamMode: "custom" }))
			if (data.type === "text.delta") onText(data.text);
	};
}

function readCompletion(pieces) {
	const { stream } = chatCompletions(connect(pieces));
	return async (onText) => {
		for await (const { choices } of stream(request))
			if (choices[0]?.delta.content) onText(choices[0].delta.content);
	};
}

function readCompletionByOpenAi(pieces) {
	const client = connectOpenAi(pieces);
	return async (onText) => {
		for await (const { choices } of await client.chat.completions.create({ ...request, stream: true }))
			if (choices[0]?.delta.content) onText(choices[0].delta.content);
	};
}

/** What is streamed, and who reads it. */
export const RUNS = {
	name: "The events of a run",
	write: writeRun,
	clients: {
		[STEMMA]: readRun,
		openai: readRunByOpenAi,
		"LangGraph SDK": readRunByLangGraph,
		"the transport alone": prepareTransport,
	},
};

export const COMPLETIONS = {
	name: "Chat completions",
	write: writeCompletions,
	clients: {
		[STEMMA]: readCompletion,
		openai: readCompletionByOpenAi,
		"the transport alone": prepareTransport,
	},
};
