import type { AgentNode } from "./agent-graph";
import { type InspectedGraph, toSuccessors } from "./inspected-graph";
import { findReachableMarks } from "./reachable-marks";

/** A node that text of others gets to, and from which it can get on to a tool without approval. */
export interface UntrustedToEffect {
	readonly node: string;
	/** Ids of the nodes that it reaches and whose text it may read: knowledge, remote agents, and tools of servers. */
	readonly reads: readonly string[];
	/** Ids of the tool nodes without `approval` that it reaches. */
	readonly tools: readonly string[];
	/** A shortest way of such text: ids from one of `reads` over this node to one of `tools`. */
	readonly path: readonly string[];
}

/** @param reach - for a node, which nodes it reaches along edges. */
export function findUntrustedToEffect(
	graph: InspectedGraph,
	reach: (vertex: number) => readonly number[],
): UntrustedToEffect[] {
	const { nodes } = graph;
	const readers = pick(nodes, isReader);
	const tools = pick(nodes, isEffect);
	if (readers.length === 0 || tools.length === 0) return [];
	const { flow, back } = traceText(graph);
	const readersOf = findReachableMarks(back, readers.map(ownText));
	const toolsOf = findReachableMarks(flow, tools.map(input));
	const ids = nodes.map(({ id }) => id);
	const toIds = (vertices: readonly number[]): string[] => vertices.map((each) => ids[each] ?? "");
	// In document order, each once.
	const listIds = (vertices: readonly number[]): string[] => {
		const isListed = toTest(vertices, ids.length);
		return ids.filter((_, each) => isListed(each));
	};

	return nodes.flatMap((node, vertex) => {
		const isWithin = toTest([vertex, ...reach(vertex)], ids.length);
		const pairs = [read(vertex), ownText(vertex)].map((place) => {
			const reached = toolsOf(place)
				.map((mark) => tools[mark] ?? 0)
				.filter(isWithin);
			if (reached.length === 0) return NO_PAIRS;
			const texts = readersOf(place).map((mark) => readers[mark] ?? 0);
			if (isReader(node) && !texts.includes(vertex)) texts.push(vertex);
			return pairUp(texts.filter(isWithin), reached);
		});
		const place = pairs.findIndex(({ tools }) => tools.length > 0);
		if (place < 0) return [];
		return {
			node: node.id,
			reads: listIds(pairs.flatMap(({ reads }) => reads)),
			tools: listIds(pairs.flatMap(({ tools }) => tools)),
			path: toIds(findPath([read, ownText][place]?.(vertex) ?? 0, pairs[place] ?? NO_PAIRS, flow, back)),
		};
	});
}

/** A set of small numbers, which is asked often. */
function toTest(members: readonly number[], count: number): (number: number) => boolean {
	const marks = new Uint8Array(count);
	for (const member of members) marks[member] = 1;
	return (number) => marks[number] === 1;
}

const pick = (nodes: readonly AgentNode[], test: (node: AgentNode) => boolean): number[] =>
	nodes.flatMap((node, vertex) => (test(node) ? [vertex] : []));

/** Whether others write what the node gives. What a tool in code gives, the program answers for. */
const isReader = (node: AgentNode): boolean =>
	node.kind === "knowledge" || node.kind === "remote" || (node.kind === "tool" && node.server !== undefined);

const isEffect = (node: AgentNode): boolean => node.kind === "tool" && node.approval !== true;

interface Pairs {
	readonly reads: readonly number[];
	readonly tools: readonly number[];
}

const NO_PAIRS: Pairs = { reads: [], tools: [] };

/** That what a tool gave leads to another call of the same tool is no finding. */
function pairUp(reads: readonly number[], tools: readonly number[]): Pairs {
	const withoutOnly = (some: readonly number[], others: readonly number[]): readonly number[] =>
		others.length > 1 ? some : some.filter((one) => others.some((other) => other !== one));
	return { reads: withoutOnly(reads, tools), tools: withoutOnly(tools, reads) };
}

// Each node has four places where text can be: its input, what its model reads, its own text or result, and its value
// after its `then` edges.
const PLACES = 4;
const input = (vertex: number): number => vertex * PLACES;
const read = (vertex: number): number => vertex * PLACES + 1;
const ownText = (vertex: number): number => vertex * PLACES + 2;
const value = (vertex: number): number => vertex * PLACES + 3;

type Places = readonly (readonly number[])[];

/** From which place to which text goes on, and the other way round. */
function traceText({ nodes, edges }: InspectedGraph): { readonly flow: Places; readonly back: Places } {
	const pairs: { readonly from: number; readonly to: number }[] = [];
	const lead = (from: number, to: number): unknown => pairs.push({ from, to });
	// Where a `then` edge is always taken, a node's own text is not its value.
	const always = new Set(
		edges.flatMap(({ edge, from }) => (edge.mode === "then" && edge.when === undefined ? [from] : [])),
	);
	for (const vertex of nodes.keys()) {
		lead(input(vertex), read(vertex));
		lead(read(vertex), ownText(vertex));
		if (!always.has(vertex)) lead(ownText(vertex), value(vertex));
	}
	for (const { edge, from, to } of edges) {
		const { mode = "call" } = edge;
		const source = mode === "before" ? input : mode === "then" ? ownText : read;
		const target = mode === "handoff" ? ownText : mode === "then" ? value : read;
		lead(source(from), input(to));
		lead(value(to), target(from));
	}
	const count = nodes.length * PLACES;
	const reversed = pairs.map(({ from, to }) => ({ from: to, to: from }));
	return { flow: toSuccessors(count, pairs), back: toSuccessors(count, reversed) };
}

/** The vertices on the way from the nearest reader over a place to the nearest tool that is another node. */
function findPath(place: number, { reads, tools }: Pairs, flow: Places, back: Places): number[] {
	const there = walkTo(place, toTest(reads.map(ownText), back.length), back).reverse();
	const start = toVertex(there[0] ?? place);
	const others = tools.filter((tool) => tool !== start);
	const onwards = walkTo(place, toTest(others.map(input), flow.length), flow);
	const vertices = [...there, ...onwards].map(toVertex);
	return vertices.filter((vertex, index) => vertex !== vertices[index - 1]);
}

const toVertex = (place: number): number => Math.floor(place / PLACES);

/** The places of a shortest path, both ends included. */
function walkTo(from: number, isGoal: (place: number) => boolean, successors: Places): number[] {
	const cameFrom = new Map([[from, from]]);
	for (const place of cameFrom.keys()) {
		if (isGoal(place)) {
			const path = [place];
			for (let at = place; at !== from; path.unshift(at)) at = cameFrom.get(at) ?? from;
			return path;
		}
		for (const next of successors[place] ?? []) if (!cameFrom.has(next)) cameFrom.set(next, place);
	}
	return [from];
}
