import { ask, createScriptedModel, passage, textReply, toolReply } from "./scripted-model.mjs";

/** Twelve nodes with all that a graph can have; one of them, `brief`, is never reached. */
export const MIXED_GRAPH = {
	nodes: [
		{ id: "desk", kind: "coordinator", instructions: "Answer for {{context.customer}}." },
		{ id: "handbook", kind: "knowledge", knowledgeBases: ["handbook"] },
		{ id: "lookup", kind: "tool", tool: "lookup" },
		{ id: "billing", kind: "agent", instructions: "You know invoices." },
		{ id: "ledger", kind: "tool", tool: "ledger" },
		{ id: "rules", kind: "knowledge", knowledgeBases: ["rules"] },
		{ id: "triage", kind: "agent", instructions: "Hand over." },
		{ id: "expert", kind: "agent", instructions: "You know all." },
		{ id: "brief", kind: "agent" },
		{ id: "closer", kind: "agent", instructions: "Close." },
		{ id: "english", kind: "agent" },
		{ id: "german", kind: "agent" },
	],
	edges: [
		{ from: "desk", to: "handbook", mode: "before" },
		{ from: "desk", to: "billing" },
		{ from: "desk", to: "lookup" },
		{ from: "billing", to: "ledger" },
		{ from: "billing", to: "rules" },
		{ from: "desk", to: "triage", mode: "then" },
		{ from: "triage", to: "expert", mode: "handoff" },
		{ from: "triage", to: "brief", mode: "then", when: { path: "", equals: "short" } },
		{ from: "triage", to: "closer", mode: "then" },
		{ from: "closer", to: "english", mode: "then" },
		{ from: "closer", to: "german", mode: "then" },
	],
};

/** Eleven invocations and nine model turns. */
export const MIXED_STEPS = 20;

const isFirstTurn = ({ messages }) => !messages.some(({ role }) => role === "tool");
const calling = (...names) =>
	createScriptedModel((request) => (isFirstTurn(request) ? toolReply(names) : textReply("It is so.")));
const replyModel = createScriptedModel(() => textReply("It is so."));

const MODELS = {
	desk: calling("billing", "lookup"),
	billing: calling("ledger", "rules"),
	triage: createScriptedModel(() => toolReply(["expert"])),
};

export const toMixedModel = (node) => MODELS[node] ?? replyModel;

/** The same models asked in the same order by bare async functions, with the same tools and passages. */
export async function runMixedBare() {
	const read = async () => JSON.stringify({ passages: [passage] });
	const say = async (node, messages) => (await ask(toMixedModel(node), { messages })).text;
	const question = { role: "user", content: "A question." };
	const loop = async (node, callees) => {
		const { toolCalls } = await ask(toMixedModel(node), { messages: [question] });
		const results = await Promise.all(
			toolCalls.map(async ({ id, name, arguments: json }) => {
				const content = await callees[name](JSON.parse(json).input);
				return { role: "tool", callId: id, name, content };
			}),
		);
		return say(node, [question, { role: "assistant", content: "", toolCalls }, ...results]);
	};
	await read();
	const billing = () => loop("billing", { ledger: read, rules: read });
	await loop("desk", { billing, lookup: read });
	await say("triage", [question]);
	await say("expert", [question]);
	await say("closer", [question]);
	return Promise.all(["english", "german"].map((node) => say(node, [question])));
}
