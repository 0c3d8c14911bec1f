import type { AgentGraph } from "@stemma/core";

/** What of a graph this engine cannot run yet, as sentences that name the node or edge; none for most graphs. */
export function findUnsupported({ nodes, edges = [] }: AgentGraph): string[] {
	const kinds = nodes
		.filter(({ kind }) => kind === "tool" || kind === "remote")
		.map(({ id, kind }) => `the node "${id}" is of kind "${kind}"`);
	const modes = edges
		.filter(({ mode }) => mode === "handoff")
		.map(({ from, to }) => `the edge from "${from}" to "${to}" is a hand-over`);
	return [...kinds, ...modes];
}
