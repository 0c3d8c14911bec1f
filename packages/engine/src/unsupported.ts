import type { AgentGraph, AgentNode } from "@stemma/core";

/** What of a graph this engine cannot run yet, as sentences that name the node or edge; none for most graphs. */
export function findUnsupported({ nodes, edges = [] }: AgentGraph): string[] {
	const modes = edges
		.filter(({ mode }) => mode === "handoff")
		.map(({ from, to }) => `the edge from "${from}" to "${to}" is a hand-over`);
	return [...nodes.flatMap(describeNode), ...modes];
}

function describeNode(node: AgentNode): string[] {
	const waits = (node.kind === "tool" || node.kind === "remote") && node.approval === true;
	return waits ? [`the node "${node.id}" waits for an approval`] : [];
}
