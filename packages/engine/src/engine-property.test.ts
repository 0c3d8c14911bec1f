import { type AgentEdge, type AgentGraph, type AgentNode, validateAgent } from "@stemma/core";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { ToolPort } from "./index";
import {
	type Answer,
	calls,
	type Line,
	passage,
	rowOf,
	runScripted,
	scriptedAgents,
} from "./test-support/scripted";

const KINDS = ["agent", "agent", "knowledge", "tool", "server", "remote", "url"] as const;

const MODES = ["call", "before", "then", "guarded"] as const;

interface Arrow {
	readonly from: number;
	readonly to: number;
	readonly mode: (typeof MODES)[number];
}

/** Graphs of up to 8 nodes with any edges that may leave them; the few that would never end are left out. */
const graphs = fc
	.record({
		kinds: fc.array(fc.constantFrom(...KINDS), { minLength: 1, maxLength: 7, size: "max" }),
		edges: fc.array(fc.record({ from: fc.nat(7), to: fc.nat(7), mode: fc.constantFrom(...MODES) }), {
			minLength: 1,
			maxLength: 14,
			size: "max",
		}),
	})
	.map(({ kinds, edges }): AgentGraph => {
		const nodes = [{ id: "n0", kind: "coordinator" }, ...kinds.map(toNode)] as [AgentNode, ...AgentNode[]];
		return { nodes, edges: toArrows(nodes, edges).map(toEdge) };
	})
	.filter((graph) => validateAgent(graph).success);

/** Between nodes that there are, of the modes that may leave them, and each once. */
function toArrows(nodes: readonly AgentNode[], arrows: readonly Arrow[]): Arrow[] {
	const possible = arrows.map(({ from, to, mode }, index) => {
		// The first ones lead to each node from one before it, so that most of the graph is reached.
		const isFirst = index + 1 < nodes.length;
		const source = from % (isFirst ? index + 1 : nodes.length);
		const mayCall = ["coordinator", "agent"].includes(nodes[source]?.kind ?? "");
		return {
			from: source,
			to: isFirst ? index + 1 : to % nodes.length,
			mode: mayCall || mode === "then" ? mode : "guarded",
		};
	});
	const isSwitch = ({ from }: Arrow): boolean =>
		possible.some((other) => other.from === from && other.mode === "guarded");
	const seen = new Set<string>();
	return possible
		.map((arrow): Arrow => (arrow.mode === "then" && isSwitch(arrow) ? { ...arrow, mode: "guarded" } : arrow))
		.filter((arrow) => {
			const key = JSON.stringify(arrow);
			const isNew = arrow.from !== arrow.to && !seen.has(key);
			seen.add(key);
			return isNew;
		});
}

const FIELDS: Readonly<Record<(typeof KINDS)[number], object>> = {
	agent: { kind: "agent", maxTurns: 3 },
	knowledge: { kind: "knowledge", knowledgeBases: ["kb"] },
	tool: { kind: "tool", tool: "echo" },
	server: { kind: "tool", tool: "echo", server: "https://tools.example/mcp", auth: { secret: "tools" } },
	remote: { kind: "remote", agentId: "ag_1" },
	url: { kind: "remote", url: "https://agent.example" },
};

const toNode = (kind: (typeof KINDS)[number], index: number) => ({ id: `n${index + 1}`, ...FIELDS[kind] });

/** Says what it is told, but for some words. */
const tools: ToolPort = {
	describe: async () => ({
		parameters: { type: "object", properties: { input: { type: "string" } }, required: ["input"] },
	}),
	async call({ arguments: { input } }) {
		if (input === "stop") throw new Error("stopped");
		return input === "go" ? { said: input } : (input ?? null);
	},
};

const cites = (n: number, id: string) => ({ n, ...passage(id, "It says so."), support: "weak" as const });

/** What models say: mostly what leads on. */
const SAYINGS = [
	"go",
	"go",
	"go",
	"call",
	"call",
	"call",
	"text",
	"text",
	"stop",
	"fail",
	"filtered",
] as const;

/** What agents give, also such as no port should. */
const ANSWERS: Readonly<Record<string, Answer>> = {
	go: { output: "go", receipt: [rowOf({ node: "desk", run_id: "run_theirs" })] },
	stop: "stop",
	text: { output: "It says so [1][2]. See [1].", citations: [cites(1, "a"), cites(2, "c")] },
	call: { output: "Odd [7], [3] and [9].", citations: [cites(3, "b"), cites(7, "d")] },
	fail: Object.assign(new Error("broken"), { receipt: [rowOf({ payer: "external" })] }),
	filtered: { output: { said: "It says so [2]." }, tells: ["Let me "], citations: [cites(2, "a")] },
	reset: { output: "go", tells: ["Draft [1] ", undefined, "g", "o"] },
	other: { output: "It is so [1].", tells: ["Not ", "that"] },
	data: { output: { said: "go [1]" }, tells: [] },
	null: { output: null, tells: ["Nothing"] },
	function: { output: (() => 1) as never },
	throws: async () => {
		throw "text";
	},
};

const toEdge = ({ from, to, mode }: Arrow): AgentEdge => ({
	from: `n${from}`,
	to: `n${to}`,
	...(mode === "guarded" ? { mode: "then", when: { path: "", equals: "go" } } : { mode }),
});

it("every graph ends, with events and a receipt that agree, whatever its models say", async () => {
	const says = fc.infiniteStream(fc.constantFrom(...SAYINGS));
	const answers = fc.infiniteStream(fc.constantFrom(...Object.values(ANSWERS)));
	let ended = 0;
	let asked = 0;
	await fc.assert(
		fc.asyncProperty(graphs, says, answers, async (graph, lines, outcomes) => {
			const say = (node: string) => (): Line => {
				const line = lines.next().value;
				const targets = graph.edges?.filter(({ from, mode }) => from === node && mode === "call") ?? [];
				if (line === "call") return calls(...targets.map(({ to }) => [to, "again"] as const));
				if (line === "fail") return new Error("broken");
				return line === "filtered"
					? { finishReason: "filtered" }
					: line === "text"
						? "It says so [1][2]."
						: line;
			};
			const script = Object.fromEntries(graph.nodes.map(({ id }) => [id, say(id)]));
			const passages = { hello: [passage("a", "It says so.")], again: [passage("b", "Again.")] };
			const answer: Answer = async () => outcomes.next().value;
			const agents = scriptedAgents(Object.fromEntries(graph.nodes.map(({ id }) => [id, answer])));
			const { result } = await runScripted(graph, { script, passages, ports: { tools, agents } });
			expect(result.usage.steps).toBeLessThanOrEqual(64);
			ended += 1;
			asked += agents.requests.length;
		}),
		{ numRuns: 300 },
	);
	expect(ended).toBeGreaterThanOrEqual(300);
	expect(asked).toBeGreaterThan(60);
});
