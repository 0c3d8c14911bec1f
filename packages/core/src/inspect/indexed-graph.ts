import type { AgentEdge, AgentGraph, AgentNode } from "../graph/agent-graph";

/** A graph by numbers: its nodes are vertices, in document order. */
export interface IndexedGraph {
	readonly nodes: readonly AgentNode[];
	readonly edges: readonly IndexedEdge[];
	/** The vertex of the coordinator. */
	readonly entry: number;
}

export interface IndexedEdge {
	readonly edge: AgentEdge;
	readonly from: number;
	readonly to: number;
}

/** @param graph - valid. */
export function indexGraph({ nodes, edges = [] }: AgentGraph): IndexedGraph {
	const vertices = new Map(nodes.map(({ id }, vertex) => [id, vertex]));
	return {
		nodes,
		edges: edges.map((edge) => ({
			edge,
			from: vertices.get(edge.from) ?? 0,
			to: vertices.get(edge.to) ?? 0,
		})),
		entry: nodes.findIndex(({ kind }) => kind === "coordinator"),
	};
}

/** Returns, for each of `count` vertices, the vertices that its edges lead to. */
export function toSuccessors(
	count: number,
	pairs: readonly { readonly from: number; readonly to: number }[],
): number[][] {
	const successors: number[][] = Array.from({ length: count }, () => []);
	for (const { from, to } of pairs) successors[from]?.push(to);
	return successors;
}
