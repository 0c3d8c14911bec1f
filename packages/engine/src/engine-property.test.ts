import { type AgentEdge, type AgentGraph, type AgentNode, validateAgent } from "@stemma/core";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { ToolPort } from "./index";
import { calls, type Line, passage, runScripted } from "./test-support/scripted";

const KINDS = ["agent", "agent", "knowledge", "tool"] as const;

/** Graphs of up to 8 nodes with any edges that may leave them; the invalid ones are left out. */
const graphs = fc
	.record({
		kinds: fc.array(fc.constantFrom(...KINDS), { maxLength: 7 }),
		edges: fc.array(
			fc.record({
				from: fc.nat(7),
				to: fc.nat(7),
				mode: fc.constantFrom("call", "before", "then", "guarded"),
			}),
			{ maxLength: 14 },
		),
	})
	.map(({ kinds, edges }): AgentGraph => {
		const nodes = [{ id: "n0", kind: "coordinator" }, ...kinds.map(toNode)] as [AgentNode, ...AgentNode[]];
		return { nodes, edges: edges.map(toEdge) };
	})
	.filter((graph) => validateAgent(graph).success);

const FIELDS: Readonly<Record<(typeof KINDS)[number], object>> = {
	agent: { maxTurns: 3 },
	knowledge: { knowledgeBases: ["kb"] },
	tool: { tool: "echo" },
};

const toNode = (kind: (typeof KINDS)[number], index: number) => ({
	id: `n${index + 1}`,
	kind,
	...FIELDS[kind],
});

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

const toEdge = ({ from, to, mode }: { from: number; to: number; mode: string }): AgentEdge => ({
	from: `n${from}`,
	to: `n${to}`,
	...(mode === "guarded"
		? { mode: "then", when: { path: "", equals: "go" } }
		: { mode: mode as "call" | "before" | "then" }),
});

it("every graph ends, with events and a receipt that agree, whatever its models say", async () => {
	const says = fc.infiniteStream(fc.constantFrom("go", "stop", "call", "text", "fail", "filtered"));
	let ended = 0;
	await fc.assert(
		fc.asyncProperty(graphs, says, async (graph, lines) => {
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
			const { result } = await runScripted(graph, { script, passages, ports: { tools } });
			expect(result.usage.steps).toBeLessThanOrEqual(64);
			ended += 1;
		}),
		{ numRuns: 300 },
	);
	expect(ended).toBeGreaterThanOrEqual(300);
});
