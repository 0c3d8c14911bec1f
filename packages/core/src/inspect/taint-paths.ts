import type { AgentNode } from "../graph/agent-graph";
import { type IndexedGraph, toSuccessors } from "./indexed-graph";
import { findReachable } from "./reachability";

/** A node that text of others gets to, and from which it can get on to a tool without approval. */
export interface TaintPath {
	readonly node: string;
	/** Ids of the nodes that it reaches and whose text it may read: knowledge, remote agents, and tools of servers. */
	readonly sources: readonly string[];
	/** Ids of the tool nodes without `approval` that it reaches. */
	readonly sinks: readonly string[];
	/** A shortest way of such text: ids from one of `sources` over this node to one of `sinks`. */
	readonly path: readonly string[];
}

/** @param reach - for a node, which nodes it reaches along edges. */
export function findTaintPaths(
	graph: IndexedGraph,
	reach: (vertex: number) => readonly number[],
): TaintPath[] {
	const { nodes } = graph;
	const sourceNodes = findVertices(nodes, isSource);
	const sinks = findVertices(nodes, isSink);
	if (sourceNodes.length === 0 || sinks.length === 0) return [];
	const { flow, reverseFlow } = buildFlowGraph(graph);
	const sourcesTo = findReachable(reverseFlow, sourceNodes.map(ownText));
	const sinksFrom = findReachable(flow, sinks.map(input));
	const ids = nodes.map(({ id }) => id);
	const toIds = (vertices: readonly number[]): string[] => vertices.map((each) => ids[each] ?? "");
	// In document order, each once.
	const listIds = (vertices: readonly number[]): string[] => {
		const isListed = toMembershipTest(vertices, ids.length);
		return ids.filter((_, each) => isListed(each));
	};

	return nodes.flatMap((node, vertex) => {
		const isWithin = toMembershipTest([vertex, ...reach(vertex)], ids.length);
		const flows = [modelContext(vertex), ownText(vertex)].map((point) => {
			const reachedSinks = sinksFrom(point)
				.map((target) => sinks[target] ?? 0)
				.filter(isWithin);
			if (reachedSinks.length === 0) return NO_FLOW;
			const reachingSources = sourcesTo(point).map((target) => sourceNodes[target] ?? 0);
			if (isSource(node) && !reachingSources.includes(vertex)) reachingSources.push(vertex);
			return excludeSelfPairs(reachingSources.filter(isWithin), reachedSinks);
		});
		const point = flows.findIndex(({ sinks }) => sinks.length > 0);
		if (point < 0) return [];
		return {
			node: node.id,
			sources: listIds(flows.flatMap(({ sources }) => sources)),
			sinks: listIds(flows.flatMap(({ sinks }) => sinks)),
			path: toIds(
				findTaintPath(
					[modelContext, ownText][point]?.(vertex) ?? 0,
					flows[point] ?? NO_FLOW,
					flow,
					reverseFlow,
				),
			),
		};
	});
}

/** A set of small numbers, which is asked often. */
function toMembershipTest(members: readonly number[], count: number): (number: number) => boolean {
	const marks = new Uint8Array(count);
	for (const member of members) marks[member] = 1;
	return (number) => marks[number] === 1;
}

const findVertices = (nodes: readonly AgentNode[], test: (node: AgentNode) => boolean): number[] =>
	nodes.flatMap((node, vertex) => (test(node) ? [vertex] : []));

/**
 * Checks whether the output of a node is written by others. The program itself answers for the output of a tool in
 * code.
 */
const isSource = (node: AgentNode): boolean =>
	node.kind === "knowledge" || node.kind === "remote" || (node.kind === "tool" && node.server !== undefined);

const isSink = (node: AgentNode): boolean => node.kind === "tool" && node.approval !== true;

interface SourcesAndSinks {
	readonly sources: readonly number[];
	readonly sinks: readonly number[];
}

const NO_FLOW: SourcesAndSinks = { sources: [], sinks: [] };

/**
 * Removes the pairs of a tool with itself: output of a tool that leads to another call of the same tool is no finding.
 */
function excludeSelfPairs(sources: readonly number[], sinks: readonly number[]): SourcesAndSinks {
	const withoutOnly = (some: readonly number[], others: readonly number[]): readonly number[] =>
		others.length > 1 ? some : some.filter((one) => others.some((other) => other !== one));
	return { sources: withoutOnly(sources, sinks), sinks: withoutOnly(sinks, sources) };
}

// Each node has four points where text can be: its input, what its model reads, its own text or result, and its value
// after its `then` edges.
const POINTS_PER_NODE = 4;
const input = (vertex: number): number => vertex * POINTS_PER_NODE;
const modelContext = (vertex: number): number => vertex * POINTS_PER_NODE + 1;
const ownText = (vertex: number): number => vertex * POINTS_PER_NODE + 2;
const value = (vertex: number): number => vertex * POINTS_PER_NODE + 3;

type FlowGraph = readonly (readonly number[])[];

/** Builds the graph of text flows, from each point to the points that its text reaches, and its reverse. */
function buildFlowGraph({ nodes, edges }: IndexedGraph): {
	readonly flow: FlowGraph;
	readonly reverseFlow: FlowGraph;
} {
	const edgePairs: { readonly from: number; readonly to: number }[] = [];
	const addFlow = (from: number, to: number): unknown => edgePairs.push({ from, to });
	// Where a `then` edge is always taken, a node's own text is not its value.
	const alwaysContinued = new Set(
		edges.flatMap(({ edge, from }) => (edge.mode === "then" && edge.when === undefined ? [from] : [])),
	);
	for (const vertex of nodes.keys()) {
		addFlow(input(vertex), modelContext(vertex));
		addFlow(modelContext(vertex), ownText(vertex));
		if (!alwaysContinued.has(vertex)) addFlow(ownText(vertex), value(vertex));
	}
	for (const { edge, from, to } of edges) {
		const { mode = "call" } = edge;
		const source = mode === "before" ? input : mode === "then" ? ownText : modelContext;
		const target = mode === "handoff" ? ownText : mode === "then" ? value : modelContext;
		addFlow(source(from), input(to));
		addFlow(value(to), target(from));
	}
	const count = nodes.length * POINTS_PER_NODE;
	const reversed = edgePairs.map(({ from, to }) => ({ from: to, to: from }));
	return { flow: toSuccessors(count, edgePairs), reverseFlow: toSuccessors(count, reversed) };
}

/** The vertices on the way from the nearest source over a point to the nearest sink that is another node. */
function findTaintPath(
	point: number,
	{ sources, sinks }: SourcesAndSinks,
	flow: FlowGraph,
	reverseFlow: FlowGraph,
): number[] {
	const sourcePath = findShortestPath(
		point,
		toMembershipTest(sources.map(ownText), reverseFlow.length),
		reverseFlow,
	).reverse();
	const start = toVertex(sourcePath[0] ?? point);
	const others = sinks.filter((tool) => tool !== start);
	const sinkPath = findShortestPath(point, toMembershipTest(others.map(input), flow.length), flow);
	const vertices = [...sourcePath, ...sinkPath].map(toVertex);
	return vertices.filter((vertex, index) => vertex !== vertices[index - 1]);
}

const toVertex = (point: number): number => Math.floor(point / POINTS_PER_NODE);

/** The points of a shortest path, both ends included. */
function findShortestPath(from: number, isGoal: (point: number) => boolean, successors: FlowGraph): number[] {
	const cameFrom = new Map([[from, from]]);
	for (const point of cameFrom.keys()) {
		if (isGoal(point)) {
			const path = [point];
			for (let at = point; at !== from; path.unshift(at)) at = cameFrom.get(at) ?? from;
			return path;
		}
		for (const next of successors[point] ?? []) if (!cameFrom.has(next)) cameFrom.set(next, point);
	}
	return [from];
}
