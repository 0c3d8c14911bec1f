import { type AgentEdge, type AgentGraph, type AgentNode, validateAgent } from "@stemma/core";
import fc from "fast-check";

const KINDS = ["agent", "agent", "knowledge", "tool", "server", "remote", "url"] as const;

const MODES = ["call", "call", "handoff", "before", "then", "guarded"] as const;

interface EdgePlan {
	readonly from: number;
	readonly to: number;
	readonly mode: (typeof MODES)[number];
}

/** Graphs of up to 8 nodes with any edges that may leave them; the few that are not valid are left out. */
export const arbitraryMixedGraph = fc
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
		return { nodes, edges: toEdgePlans(nodes, edges).map(toEdge) };
	})
	.filter((graph) => validateAgent(graph).success);

/** Between nodes that there are, of the modes that may leave them, and each once. */
function toEdgePlans(nodes: readonly AgentNode[], plans: readonly EdgePlan[]): EdgePlan[] {
	const possible = plans.map(({ from, to, mode }, index) => {
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
	const isSwitch = ({ from }: EdgePlan): boolean =>
		possible.some((other) => other.from === from && other.mode === "guarded");
	const seen = new Set<string>();
	return possible
		.map((plan): EdgePlan => (plan.mode === "then" && isSwitch(plan) ? { ...plan, mode: "guarded" } : plan))
		.filter((plan) => {
			const key = JSON.stringify(plan);
			const isNew = plan.from !== plan.to && !seen.has(key);
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

const toEdge = ({ from, to, mode }: EdgePlan): AgentEdge => ({
	from: `n${from}`,
	to: `n${to}`,
	...(mode === "guarded" ? { mode: "then", when: { path: "", equals: "go" } } : { mode }),
});
