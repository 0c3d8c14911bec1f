import type { AgentGraph, ChatRequest } from "@stemma/core";
import type { AgentPort, EnginePorts, ToolPort } from "@stemma/engine";
import { calls, passage, type ScriptedReply, scriptedModel } from "@stemma/engine/test-support/scripted";

/**
 * Graph with a call of each kind: a search before, then two tools and an agent at once, then another turn, then a tool in
 * sequence. Models say by the conversation so far what comes next, so that they can be asked again.
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

/** How often each port was called, by node: of all executions of a run. */
export type Calls = Map<string, number>;

/** Ports of {@link crashGraph}. Only `look` is idempotent. */
export function createCrashPorts(counted: Calls): EnginePorts {
	const count = (node: string): unknown => counted.set(node, (counted.get(node) ?? 0) + 1);
	const model = scriptedModel({
		desk: ({ messages }: ChatRequest): ScriptedReply => {
			count("desk");
			const isFirst = !messages.some(({ role }) => role === "tool");
			return isFirst ? calls(["pay", "A1"], ["look", "A1"], ["legal", "A1"]) : "Refunded [1].";
		},
	});
	const tools: ToolPort = {
		describe: async ({ node }) => ({
			parameters: { type: "object", properties: { input: { type: "string" } } },
			idempotent: node === "look",
		}),
		async call({ node, arguments: { input } }) {
			count(node);
			return `${node}: ${JSON.stringify(input)}`;
		},
	};
	const agents: AgentPort = {
		async run({ node }, { onText }) {
			count(node);
			onText("We ");
			await undefined;
			onText("may.");
			return { output: "We may." };
		},
	};
	return {
		models: { resolve: () => ({ model, payer: "workspace", reason: "The script pays." }) },
		retriever: {
			async retrieve({ node }) {
				count(node);
				return { passages: [passage("a", "Refunds take a day.")] };
			},
		},
		tools,
		agents,
		validate: () => ({ valid: true }),
	};
}
