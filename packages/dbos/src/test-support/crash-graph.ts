import type { AgentGraph, ChatEvent, ChatModel, ChatReply, ChatRequest } from "@stemma/core";
import type { AgentPort, EnginePorts, RetrievedPassage, ToolPort } from "@stemma/engine";

// Imports types alone: a program of the tests loads it as it is.

/**
 * Graph with a call of each kind: a search before, then two tools and an agent at once, then another turn, then a tool in
 * sequence. Its model says by the conversation so far what comes next, so that it can be asked again.
 */
export const crashGraph: AgentGraph = {
	nodes: [
		{ id: "desk", kind: "coordinator" },
		{ id: "faq", kind: "knowledge", knowledgeBases: ["kb"] },
		{ id: "pay", kind: "tool", tool: "pay" },
		{ id: "look", kind: "tool", tool: "look" },
		{ id: "legal", kind: "remote", agentId: "ag_legal" },
		{ id: "note", kind: "tool", tool: "note" },
	],
	edges: [
		{ from: "desk", to: "faq", mode: "before" },
		{ from: "desk", to: "pay", mode: "call" },
		{ from: "desk", to: "look", mode: "call" },
		{ from: "desk", to: "legal", mode: "call" },
		{ from: "desk", to: "note", mode: "then" },
	],
};

/** Ports of {@link crashGraph}. Only `look` is idempotent. @param onCall - each call, by its node, before anything is done. */
export const createCrashPorts = (onCall: (node: string) => void): EnginePorts => ({
	models: { resolve: () => ({ model: createModel(onCall), payer: "workspace", reason: "The test pays." }) },
	retriever: {
		async retrieve({ node }) {
			onCall(node);
			return { passages: [passage] };
		},
	},
	tools: createTools(onCall),
	agents: createAgents(onCall),
	validate: () => ({ valid: true }),
});

const passage: RetrievedPassage = {
	passage_id: "psg_a",
	document_id: "doc_a",
	title: "Refunds",
	place: { start: 0, end: 20 },
	text: "Refunds take a day.",
};

function createModel(onCall: (node: string) => void): ChatModel {
	function reply({ messages, origin }: ChatRequest): ChatReply {
		onCall(origin?.node ?? "");
		const usage = { inputTokens: 10, outputTokens: 5 };
		if (messages.some(({ role }) => role === "tool"))
			return { text: "Refunded [1].", toolCalls: [], finishReason: "stop", usage };
		const toolCalls = ["pay", "look", "legal"].map((name) => ({
			id: name,
			name,
			arguments: '{"input":"A1"}',
		}));
		return { text: "", toolCalls, finishReason: "tool_calls", usage };
	}
	return {
		provider: "test",
		model: "refunds",
		vendorHost: "models.example",
		generate: async (request) => reply(request),
		async *stream(request): AsyncGenerator<ChatEvent> {
			const whole = reply(request);
			for (const [text] of whole.text.matchAll(/\S+\s*/g)) yield { type: "text.delta", text };
			yield { type: "finish", reply: whole };
		},
	};
}

const createTools = (onCall: (node: string) => void): ToolPort => ({
	describe: async ({ node }) => ({
		parameters: { type: "object", properties: { input: { type: "string" } }, required: ["input"] },
		idempotent: node === "look",
	}),
	async call({ node, arguments: { input } }) {
		onCall(node);
		return `${node}: ${JSON.stringify(input)}`;
	},
});

const createAgents = (onCall: (node: string) => void): AgentPort => ({
	async run({ node }, { onText }) {
		onCall(node);
		onText("We ");
		await undefined;
		onText("may.");
		return { output: "We may." };
	},
});
