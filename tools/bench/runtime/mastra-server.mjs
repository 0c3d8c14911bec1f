// Mastra's server on Hono: an agent with a scripted model of the AI SDK, and a workflow of one step that asks ours.
import { Agent } from "@mastra/core/agent";
import { Mastra } from "@mastra/core/mastra";
import { createStep, createWorkflow } from "@mastra/core/workflows";
import { MastraServer } from "@mastra/hono";
import { Hono } from "hono";
import { z } from "zod";
import { ask, createReplyModel } from "../engine/scripted-model.mjs";
import { listen } from "./listen.mjs";
import { serveParent } from "./parent.mjs";

const usage = { inputTokens: { total: 10, noCache: 10 }, outputTokens: { total: 5, text: 5 } };
const finishReason = { unified: "stop", raw: "stop" };
const text = "An answer of a few words.";

/** Not the mock of the AI SDK: that one keeps every call. */
const model = {
	specificationVersion: "v3",
	provider: "scripted",
	modelId: "scripted",
	supportedUrls: {},
	doGenerate: async () => ({ content: [{ type: "text", text }], finishReason, usage, warnings: [] }),
	doStream: async () => ({
		stream: ReadableStream.from([
			{ type: "stream-start", warnings: [] },
			{ type: "text-start", id: "1" },
			{ type: "text-delta", id: "1", delta: text },
			{ type: "text-end", id: "1" },
			{ type: "finish", finishReason, usage },
		]),
	}),
};

const replyModel = createReplyModel();
const step = createStep({
	id: "desk",
	inputSchema: z.string(),
	outputSchema: z.string(),
	execute: async ({ inputData }) =>
		(await ask(replyModel, { messages: [{ role: "user", content: inputData }] })).text,
});
const workflow = createWorkflow({ id: "desk", inputSchema: z.string(), outputSchema: z.string() })
	.then(step)
	.commit();

const mastra = new Mastra({
	logger: false,
	agents: { desk: new Agent({ id: "desk", name: "desk", instructions: "Answer.", model }) },
	workflows: { desk: workflow },
});
const app = new Hono();
const server = new MastraServer({ app, mastra, prefix: "/api" });
await server.init();
serveParent(await listen(app.fetch));
