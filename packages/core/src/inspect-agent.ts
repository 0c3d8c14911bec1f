import type { AgentGraph, AgentNode, ThenEdge } from "./agent-graph";
import { numberGraph, toSuccessors } from "./inspected-graph";
import { boundModelCalls, type ModelCallBound } from "./model-call-bound";
import { findNeverTaken } from "./never-taken";
import { findReachableMarks } from "./reachable-marks";
import { findRunPlaces, type Runnable, type RunPlace } from "./run-places";
import { findUntrustedToEffect, type UntrustedToEffect } from "./untrusted-to-effect";

/** What {@link inspectAgent} tells of a graph. */
export interface AgentInspection {
	/** Ids of nodes that no path of edges leads to from the coordinator: they never run. */
	readonly unreachable: readonly string[];
	/** Edges whose `when` can never hold: what it looks for is in JSON, or is none, and its node gives text. */
	readonly neverTaken: readonly ThenEdge[];
	/** By node id. */
	readonly reach: Readonly<Record<string, NodeReach>>;
	/** Where text from outside can lead to an effect with no person in between. */
	readonly untrustedToEffect: readonly UntrustedToEffect[];
	readonly modelCalls: ModelCallBound;
	/** Where the graph can run, by place. */
	readonly runsIn: Readonly<Record<RunPlace, Runnable>>;
}

/** What a node can get at along edges, directly or through others. */
export interface NodeReach {
	readonly knowledgeBases: readonly string[];
	/** Ids of tool nodes. */
	readonly tools: readonly string[];
	/** Ids of remote nodes. */
	readonly remotes: readonly string[];
}

/**
 * Tells what a valid graph can reach, cost and where it can run, without running it. Takes time in proportion to what it
 * tells: 1,000 nodes and 10,000 edges are a matter of milliseconds.
 */
export function inspectAgent(graph: AgentGraph): AgentInspection {
	const inspected = numberGraph(graph);
	const { nodes, edges, entry } = inspected;
	const reach = findReachableMarks(toSuccessors(nodes.length, edges), [...nodes.keys()]);
	const fromEntry = new Set([entry, ...reach(entry)]);
	const toNodes = (vertices: readonly number[]): AgentNode[] =>
		vertices.map((vertex) => nodes[vertex]).filter((node) => node !== undefined);
	return {
		unreachable: nodes.filter((_, vertex) => !fromEntry.has(vertex)).map(({ id }) => id),
		neverTaken: findNeverTaken(inspected),
		reach: Object.fromEntries(nodes.map(({ id }, vertex) => [id, toReach(toNodes(reach(vertex)))])),
		untrustedToEffect: findUntrustedToEffect(inspected, reach),
		modelCalls: boundModelCalls(inspected, graph.limits),
		runsIn: findRunPlaces(nodes),
	};
}

function toReach(nodes: readonly AgentNode[]): NodeReach {
	const knowledgeBases = nodes.flatMap((node) => (node.kind === "knowledge" ? node.knowledgeBases : []));
	const idsOf = (kind: string): string[] => nodes.filter((node) => node.kind === kind).map(({ id }) => id);
	return { knowledgeBases: [...new Set(knowledgeBases)], tools: idsOf("tool"), remotes: idsOf("remote") };
}
