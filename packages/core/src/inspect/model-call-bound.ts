import {
	type AgentNode,
	DEFAULT_LIMITS,
	DEFAULT_MAX_TURNS,
	isModelNode,
	type ModelNode,
	type RunLimits,
} from "../graph/agent-graph";
import { findComponents, findCyclicComponents, walkCycle } from "../graph/strongly-connected";
import { type IndexedEdge, type IndexedGraph, toSuccessors } from "./indexed-graph";

/** Upper bound of the model calls that the nodes of one run can make. */
export interface ModelCallBound {
	/**
	 * Maximum model calls of one run, without those of `rewrites`. Never more than `maxSteps`, since each model turn is a step.
	 */
	readonly max: number;
	/** `graph`: `maxTurns` and `maxCalls` bound it; `maxSteps`: nothing else does, or that is less. */
	readonly boundBy: "graph" | "maxSteps";
	/** A cycle that only `maxSteps` and `maxDepth` end: ids in the order of its edges, the first not repeated. */
	readonly cycle?: readonly string[];
	/** Call edges without `maxCalls` to nodes that make model calls, as `from → to`. */
	readonly unlimitedCalls?: readonly string[];
	/** Ids of the remote nodes that a run can get to: what their agents call is bounded where they run, and not in `max`. */
	readonly remotes?: readonly string[];
	/**
	 * Ids of the knowledge nodes that the input of a run can get to. If it is a conversation, each may take one model call
	 * more in a run, of the stage `rewrite`, which makes queries of it. The search is a step: with `max` there are never more
	 * calls than `maxSteps`.
	 */
	readonly rewrites?: readonly string[];
}

/** @param limits - of the graph, or those that hold where it runs. */
export function boundModelCalls(graph: IndexedGraph, limits: RunLimits = {}): ModelCallBound {
	const { maxSteps = DEFAULT_LIMITS.maxSteps } = limits;
	const reachableEdges = findReachableEdges(graph);
	const counted = findModelCallEdges(graph, reachableEdges);
	const besides = { ...findRemotes(graph, reachableEdges), ...findRewrites(graph, reachableEdges) };
	const cycle = findCycle(graph, counted);
	const unlimited = counted.filter(({ edge }) => isCall(edge) && edge.maxCalls === undefined);
	if (cycle === undefined && unlimited.length === 0) {
		const max = countCalls(graph, counted);
		return max <= maxSteps
			? { max, boundBy: "graph", ...besides }
			: { max: maxSteps, boundBy: "maxSteps", ...besides };
	}
	return {
		max: maxSteps,
		boundBy: "maxSteps",
		...(cycle === undefined ? {} : { cycle }),
		...(cycle !== undefined || unlimited.length === 0
			? {}
			: { unlimitedCalls: unlimited.map(({ edge }) => `${edge.from} → ${edge.to}`) }),
		...besides,
	};
}

/** The edges that a run can take. */
function findReachableEdges({ nodes, edges, entry }: IndexedGraph): IndexedEdge[] {
	const candidates = edges.filter(({ edge, from }) => !isToolEdge(edge) || maxTurnsOf(nodes[from]) > 1);
	const reached = findReached(toSuccessors(nodes.length, candidates), entry);
	return candidates.filter(({ from }) => reached.has(from));
}

/** Returns the reachable edges that lead to model calls. */
function findModelCallEdges({ nodes }: IndexedGraph, reachableEdges: readonly IndexedEdge[]): IndexedEdge[] {
	const successors = toSuccessors(nodes.length, reachableEdges);
	const calling = new Set<number>();
	for (const component of findComponents(successors)) {
		const isCalling = component.some(
			(vertex) => maxTurnsOf(nodes[vertex]) > 0 || successors[vertex]?.some((next) => calling.has(next)),
		);
		if (isCalling) for (const vertex of component) calling.add(vertex);
	}
	return reachableEdges.filter(({ to }) => calling.has(to));
}

function findRemotes(
	{ nodes }: IndexedGraph,
	reachableEdges: readonly IndexedEdge[],
): Pick<ModelCallBound, "remotes"> {
	const targets = new Set(reachableEdges.map(({ to }) => to));
	const remotes = nodes.filter(({ kind }, vertex) => kind === "remote" && targets.has(vertex));
	return remotes.length === 0 ? {} : { remotes: remotes.map(({ id }) => id) };
}

/** The input of a node goes on along its `before` edges and its handoffs. */
function findRewrites(
	{ nodes, entry }: IndexedGraph,
	reachableEdges: readonly IndexedEdge[],
): Pick<ModelCallBound, "rewrites"> {
	const passing = reachableEdges.filter(({ edge: { mode } }) => mode === "before" || mode === "handoff");
	const reached = findReached(toSuccessors(nodes.length, passing), entry);
	const rewrites = nodes.filter(({ kind }, vertex) => kind === "knowledge" && reached.has(vertex));
	return rewrites.length === 0 ? {} : { rewrites: rewrites.map(({ id }) => id) };
}

function findReached(successors: readonly (readonly number[])[], entry: number): ReadonlySet<number> {
	const reached = new Set([entry]);
	for (const vertex of reached) for (const next of successors[vertex] ?? []) reached.add(next);
	return reached;
}

/**
 * Returns the most turns of a node; 0 for a node that makes no model turns. The last turn offers no calls and no
 * handoffs.
 */
const maxTurnsOf = (node: AgentNode | undefined): number =>
	node !== undefined && isModelNode(node) ? (node.maxTurns ?? DEFAULT_MAX_TURNS) : 0;

const isCall = (edge: IndexedEdge["edge"]): edge is Extract<typeof edge, { mode?: "call" }> =>
	edge.mode === undefined || edge.mode === "call";

const isToolEdge = (edge: IndexedEdge["edge"]): boolean => isCall(edge) || edge.mode === "handoff";

function findCycle({ nodes }: IndexedGraph, counted: readonly IndexedEdge[]): string[] | undefined {
	const successors = toSuccessors(nodes.length, counted);
	const [component] = findCyclicComponents(successors);
	return component && walkCycle(component, successors).map((vertex) => nodes[vertex]?.id ?? "");
}

/**
 * Counts the model calls of one invocation of the coordinator, in a graph without cycles in which every call has its
 * `maxCalls`.
 */
function countCalls({ nodes, edges, entry }: IndexedGraph, counted: readonly IndexedEdge[]): number {
	const outgoing: IndexedEdge[][] = nodes.map(() => []);
	for (const edge of counted) outgoing[edge.from]?.push(edge);
	// Whoever has nothing to call or to hand over to gives its text in the first turn.
	const callers = new Set(edges.filter(({ edge }) => isToolEdge(edge)).map(({ from }) => from));
	const costs: number[] = [];
	for (const [vertex = 0] of findComponents(toSuccessors(nodes.length, counted)))
		costs[vertex] = countInvocation(
			nodes[vertex],
			callers.has(vertex) ? maxTurnsOf(nodes[vertex]) : 1,
			outgoing[vertex] ?? [],
			costs,
		);
	return costs[entry] ?? 0;
}

function countInvocation(
	node: AgentNode | undefined,
	maxTurns: number,
	edges: readonly IndexedEdge[],
	costs: readonly number[],
): number {
	const costOf = ({ edge, to }: IndexedEdge): number =>
		(costs[to] ?? 0) * (isCall(edge) ? (edge.maxCalls ?? 1) : 1);
	const costsOf = (mode: string): number[] =>
		edges.filter(({ edge }) => (edge.mode ?? "call") === mode).map(costOf);
	const isSwitch = edges.some(({ edge }) => edge.mode === "then" && edge.when !== undefined);
	const continued = isSwitch ? Math.max(...costsOf("then")) : sum(costsOf("then"));
	const turns =
		node !== undefined && isModelNode(node)
			? countTurns(node, maxTurns, sum(costsOf("call")), costsOf("handoff"))
			: 0;
	return sum(costsOf("before")) + turns + continued;
}

/** A node has its own text, and perhaps repairs it, or hands over in its last turn but one at the latest. */
function countTurns(
	{ output }: ModelNode,
	maxTurns: number,
	callCost: number,
	handoffCosts: readonly number[],
): number {
	const own = maxTurns + callCost + (output === undefined ? 0 : 1);
	// The calls of the turn that hands over are not made.
	const before = maxTurns - 1 + (maxTurns > 2 ? callCost : 0);
	return Math.max(own, ...handoffCosts.map((cost) => before + cost));
}

const sum = (values: readonly number[]): number => values.reduce((total, one) => total + one, 0);
