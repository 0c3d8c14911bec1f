import type { AgentEdge, AgentNode, EdgeMode, Json, RunEvent } from "@stemma/core";
import { expect } from "vitest";
import type { ToolPort } from "../index";
import { calls, passage, type RunScripted, type Script, type ScriptedReply } from "./scripted";

/** Scenario: a graph, and its events as an outline. Each line of `outline` is one event: which node, and by which edge. */
export interface Scenario {
	readonly nodes: readonly AgentNode[];
	readonly edges: readonly AgentEdge[];
	readonly script: Script;
	readonly outline: string;
	/** Lines that follow from calls which end at the same time: the engine has them in this order, others may have another. */
	readonly concurrent?: readonly string[];
	readonly output: Json;
	readonly status?: "failed";
	/** Part of the last message that a model was sent, by node and turn. */
	readonly modelInputs?: readonly (readonly [node: string, turn: number, text: string])[];
}

const desk: AgentNode = { id: "desk", kind: "coordinator" };
const agent = (id: string): AgentNode => ({ id, kind: "agent" });
const faq: AgentNode = { id: "faq", kind: "knowledge", knowledgeBases: ["kb"] };
const shop: AgentNode = { id: "shop", kind: "tool", tool: "shop" };
const edge = (from: string, mode: EdgeMode, to: string, equals?: Json): AgentEdge =>
	// A guard stands only on `then` edges here.
	({ from, to, mode, ...(equals === undefined ? {} : { when: { path: "", equals } }) }) as AgentEdge;

/** Fails for "none". */
const tools: ToolPort = {
	describe: async () => ({
		parameters: { type: "object", properties: { input: { type: "string" } }, required: ["input"] },
	}),
	async call({ arguments: { input } }) {
		if (input === "none") throw new Error("sold out");
		return { sold: input ?? null };
	},
};
const passages = { hello: [passage("a", "Open at nine.")], hours: [passage("b", "Closed at five.")] };
const broken: ScriptedReply = new Error("no answer");

/** Scenarios by name: the engine behaves so, and all that run graphs by it. */
export const SCENARIOS: Readonly<Record<string, Scenario>> = {
	"before, call and then on one node": {
		nodes: [desk, faq, shop, agent("editor")],
		edges: [edge("desk", "before", "faq"), edge("desk", "call", "shop"), edge("desk", "then", "editor")],
		script: { desk: [calls(["shop", "tea"]), "One tea."], editor: ["One tea, with pleasure."] },
		outline: `start desk, before faq, faq ends, desk calls shop, call shop, shop ends, then editor, editor ends,
			desk ends`,
		output: "One tea, with pleasure.",
		modelInputs: [["editor", 1, "One tea."]],
	},
	"a prefetch that fails fails its node: neither calls nor continuations are begun": {
		nodes: [desk, agent("aide"), shop, agent("editor")],
		edges: [edge("desk", "before", "aide"), edge("desk", "call", "shop"), edge("desk", "then", "editor")],
		script: { aide: [broken] },
		outline: "start desk, before aide, aide fails, desk fails",
		output: null,
		status: "failed",
	},
	"a prefetch that fails within a callee is an error result for the caller": {
		nodes: [desk, agent("clerk"), agent("aide"), agent("after")],
		edges: [edge("desk", "call", "clerk"), edge("clerk", "before", "aide"), edge("clerk", "then", "after")],
		script: { desk: [calls(["clerk", "look"]), "On my own."], aide: [broken] },
		outline: `start desk, desk calls clerk, call clerk, before aide, aide fails, clerk fails, desk ends`,
		output: "On my own.",
		modelInputs: [["desk", 2, 'model_failed: "aide", which runs before "clerk", failed: no answer']],
	},
	"a callee that hands over, with a continuation after it": {
		nodes: [desk, agent("clerk"), agent("expert"), agent("short")],
		edges: [
			edge("desk", "call", "clerk"),
			edge("clerk", "handoff", "expert"),
			edge("clerk", "then", "short"),
		],
		script: {
			desk: [calls(["clerk", "look"]), "So it is."],
			clerk: [calls(["expert", "yours"])],
			expert: ["A long answer."],
			short: ["Short."],
		},
		outline: `start desk, desk calls clerk, call clerk, clerk calls expert, handoff expert, expert ends, then short,
			short ends, clerk ends, desk ends`,
		output: "So it is.",
		modelInputs: [
			["expert", 1, "yours"],
			["short", 1, "A long answer."],
			["desk", 2, "Short."],
		],
	},
	"a handoff whose target fails, within a callee": {
		nodes: [desk, agent("clerk"), agent("expert"), agent("short")],
		edges: [
			edge("desk", "call", "clerk"),
			edge("clerk", "handoff", "expert"),
			edge("clerk", "then", "short"),
		],
		script: { desk: [calls(["clerk", "look"]), "Alas."], clerk: [calls(["expert", ""])], expert: [broken] },
		outline: `start desk, desk calls clerk, call clerk, clerk calls expert, handoff expert, expert fails, clerk fails,
			desk ends`,
		output: "Alas.",
		modelInputs: [["desk", 2, '"expert", to which "clerk" handed over, failed: no answer']],
	},
	"a switch whose target fails fails the node before it": {
		nodes: [desk, shop, agent("else")],
		edges: [edge("desk", "then", "shop", "none"), edge("desk", "then", "else")],
		script: { desk: ["none"] },
		outline: "start desk, then shop, shop fails, desk fails",
		output: null,
		status: "failed",
	},
	"a switch takes the first that holds, or its else, or lets the value stand": {
		nodes: [desk, agent("a"), agent("b"), agent("c")],
		edges: [edge("desk", "then", "a", "x"), edge("desk", "then", "b"), edge("b", "then", "c", "never said")],
		script: { desk: ["y"], b: ["From b."] },
		outline: "start desk, then b, b ends, desk ends",
		output: "From b.",
	},
	"a fan-out of a fan-out is joined by node id": {
		nodes: [desk, agent("a"), agent("b"), agent("c"), faq],
		edges: [
			edge("desk", "then", "a"),
			edge("desk", "then", "b"),
			edge("a", "then", "c"),
			edge("a", "then", "faq"),
		],
		script: { desk: ["go"], a: ["hours"], b: ["B"], c: ["C"] },
		outline: `start desk, then a, then b, then c, then faq, b ends, faq ends, c ends, a ends, desk ends`,
		output: {
			a: {
				c: "C",
				faq: {
					query: "hours",
					passages: [
						{
							n: 1,
							text: "Closed at five.",
							document: "Document b",
							place: { heading: "Top", start: 0, end: 15 },
						},
					],
				},
			},
			b: "B",
		},
	},
	"one branch of a fan-out fails: its siblings are of no use any more": {
		nodes: [desk, shop, agent("slow")],
		edges: [edge("desk", "then", "shop"), edge("desk", "then", "slow")],
		script: { desk: ["none"], slow: () => new Promise<string>(() => undefined) },
		outline: "start desk, then shop, then slow, shop fails, slow fails, desk fails",
		output: null,
		status: "failed",
	},
	"calls of one turn: one fails, one is of nobody, and the model goes on": {
		nodes: [desk, shop, faq, agent("clerk")],
		edges: [edge("desk", "call", "shop"), edge("desk", "call", "faq"), edge("desk", "call", "clerk")],
		script: {
			desk: [calls(["shop", "none"], ["faq", "hours"], ["clerk", "x"], ["nobody", "y"]), "At five [1]."],
			clerk: [broken],
		},
		outline: `start desk, desk calls shop, desk calls faq, desk calls clerk, desk skips nobody, call shop, call faq,
			call clerk, faq ends, shop fails, clerk fails, desk ends`,
		concurrent: ["faq ends", "shop fails", "clerk fails"],
		output: "At five [1].",
		modelInputs: [["desk", 2, 'There is nothing named "nobody"']],
	},
	"a cycle through call, that hands over at its end": {
		nodes: [desk, agent("clerk"), agent("last")],
		edges: [edge("desk", "call", "clerk"), edge("clerk", "call", "desk"), edge("desk", "handoff", "last")],
		script: {
			desk: ({ origin, messages }) =>
				origin?.depth === 2
					? calls(["last", "end it"])
					: messages.length === 1
						? calls(["clerk", "x"])
						: "Good.",
			clerk: ({ messages }) => (messages.length === 1 ? calls(["desk", "and back"]) : "Heard."),
			last: ["The end."],
		},
		outline: `start desk, desk calls clerk, call clerk, clerk calls desk, call desk, desk calls last, handoff last,
			last ends, desk ends, clerk ends, desk ends`,
		output: "Good.",
	},
};

/** Options of {@link checkScenario}. */
export interface ScenarioOptions {
	/** False for a runner that may receive outcomes of the same time in another order than the engine. Default true. */
	readonly isOrdered?: boolean;
}

/** Runs a scenario, and checks what came of it. @param run - runs it: the engine, or what is built on it. */
export async function checkScenario(
	{ nodes, edges, script, outline, concurrent = [], output, status, modelInputs }: Scenario,
	run: RunScripted,
	{ isOrdered = true }: ScenarioOptions = {},
): Promise<void> {
	const { result, events, requests } = await run(
		{ nodes, edges, limits: { maxSteps: 60 } },
		{ script, passages, ports: { tools } },
	);
	const expected = outline.replace(/\s+/g, " ").split(", ");
	const actual = events.flatMap(describeEvent);
	const order = (lines: readonly string[]): readonly string[] =>
		isOrdered ? lines : sortConcurrent(lines, concurrent);
	expect(order(actual).join(", ")).toBe(order(expected).join(", "));
	expect([result.status, result.output]).toEqual([status ?? "completed", output]);
	for (const [node, turn, text] of modelInputs ?? []) {
		const request = requests.filter(({ origin }) => origin?.node === node)[turn - 1];
		expect(request?.messages.at(-1)?.content).toContain(text);
	}
}

/** Sorts those lines among themselves; all others stay in their places. */
function sortConcurrent(lines: readonly string[], concurrent: readonly string[]): string[] {
	const sorted = lines.filter((line) => concurrent.includes(line)).sort();
	return lines.map((line) => (concurrent.includes(line) ? (sorted.shift() ?? line) : line));
}

function describeEvent(event: RunEvent): string[] {
	if (event.type === "node.started") return [`${event.mode} ${event.node}`];
	if (event.type === "node.completed") return [`${event.node} ends`];
	if (event.type === "node.failed") return [`${event.node} fails`];
	if (event.type === "tool.called") return [`${event.node} calls ${event.callee}`];
	return event.type === "tool.skipped" ? [`${event.node} skips ${event.callee}`] : [];
}
