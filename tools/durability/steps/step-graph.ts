import type { AgentGraph } from "@stemma/core";
import type { SimulatedReply } from "@stemma/simulators/openai";
import type { ScriptedTool } from "@stemma/simulators/rpc";

const inputSchema = { type: "object", properties: { input: { type: "string" } }, required: ["input"] };

/** Only `look` may be called twice. */
export const STEP_TOOLS: readonly ScriptedTool[] = [
	{ name: "note", inputSchema },
	{ name: "look", inputSchema, annotations: { idempotentHint: true } },
	{ name: "pay", inputSchema },
];

/** Two models that each call a tool, a tool before them, a search, and a tool that waits for a person. */
export const createStepGraph = (server: string, knowledgeBase: string): AgentGraph => ({
	nodes: [
		{ id: "desk", kind: "coordinator", instructions: "You are the desk." },
		{ id: "draft", kind: "agent", instructions: "You are the draft." },
		{ id: "books", kind: "knowledge", knowledgeBases: [knowledgeBase] },
		{ id: "note", kind: "tool", tool: "note", server },
		{ id: "look", kind: "tool", tool: "look", server },
		{ id: "pay", kind: "tool", tool: "pay", server, approval: true },
	],
	edges: [
		{ from: "desk", to: "books", mode: "before" },
		{ from: "desk", to: "draft", mode: "before" },
		{ from: "draft", to: "note", mode: "before" },
		{ from: "draft", to: "look" },
		{ from: "desk", to: "pay" },
	],
});

/** Turns of the two models, in the order in which a run makes them. */
export const TURNS = ["draft calls", "draft answers", "desk calls", "desk answers"] as const;

export type Turn = (typeof TURNS)[number];

interface Messages {
	readonly messages?: readonly { readonly role: string }[];
}

/** The turn that a request to the vendor is. */
export function readTurn(body: Messages | undefined): Turn {
	const node = JSON.stringify(body).includes("You are the draft.") ? "draft" : "desk";
	const isAnswered = body?.messages?.some(({ role }) => role === "tool") === true;
	return `${node} ${isAnswered ? "answers" : "calls"}`;
}

export function toReply(turn: Turn, order: string): Omit<SimulatedReply, "kind" | "usage"> {
	if (turn === "draft answers") return { text: "A draft of the answer." };
	if (turn === "desk answers") return { text: "It is paid, as was asked." };
	const name = turn === "draft calls" ? "look" : "pay";
	return { toolCalls: [{ id: `call_${name}`, name, arguments: { input: order } }] };
}
