import { type AgentNode, type Guard, isModelNode, type ThenEdge } from "../graph/agent-graph";
import { type IndexedEdge, type IndexedGraph, toSuccessors } from "./indexed-graph";

/**
 * The edges whose `when` cannot hold, since what it tests is text for certain: that of a model without `output`, which is
 * never read as JSON.
 */
export function findDeadEdges(graph: IndexedGraph): ThenEdge[] {
	const { nodes, edges } = graph;
	const values = findJsonValues(graph);
	// A guard tests what is there before a continuation is chosen.
	const tested = new Set(
		edges.flatMap(({ edge, from, to }) => (edge.mode === "handoff" && values.has(to) ? [from] : [])),
	);
	return edges.flatMap(({ edge, from }) =>
		edge.mode === "then" &&
		edge.when !== undefined &&
		!returnsJson(nodes[from]) &&
		!tested.has(from) &&
		!canHoldForText(edge.when)
			? [edge]
			: [],
	);
}

/** The vertices whose value, after handoffs and continuations, may be JSON. */
function findJsonValues({ nodes, edges }: IndexedGraph): Set<number> {
	const values = new Set([...nodes.keys()].filter((vertex) => returnsJson(nodes[vertex])));
	// Several plain continuations give an object.
	const continued = new Set<number>();
	for (const { edge, from } of edges)
		if (isUnguarded(edge)) {
			if (continued.has(from)) values.add(from);
			continued.add(from);
		}
	const origins = toSuccessors(
		nodes.length,
		edges.flatMap(({ edge, from, to }) =>
			edge.mode === "handoff" || edge.mode === "then" ? [{ from: to, to: from }] : [],
		),
	);
	for (const vertex of values) for (const origin of origins[vertex] ?? []) values.add(origin);
	return values;
}

const returnsJson = (node: AgentNode | undefined): boolean =>
	node === undefined || !isModelNode(node) || node.output !== undefined;

const isUnguarded = (edge: IndexedEdge["edge"]): boolean => edge.mode === "then" && edge.when === undefined;

const canHoldForText = ({ path, exists, equals, in: candidates = [equals ?? null] }: Guard): boolean =>
	path === "" && (exists === true || candidates.some((candidate) => typeof candidate === "string"));
