import {
	type AgentGraph,
	type AgentNode,
	DEFAULT_LIMITS,
	DEFAULT_MAX_TURNS,
	isModelNode,
	type RunLimits,
	type ThenEdge,
} from "./agent-graph";
import { findCyclicComponents, walkCycle } from "./strongly-connected";

/** What {@link inspectAgent} tells of a graph. */
export interface AgentInspection {
	/** Ids of nodes that no path of edges leads to from the coordinator: they never run. */
	readonly unreachable: readonly string[];
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

/** A node that reads text from knowledge bases or remote agents and reaches a tool without approval. */
export interface UntrustedToEffect {
	readonly node: string;
	/** Ids of the knowledge and remote nodes whose text it may read. */
	readonly reads: readonly string[];
	/** Ids of the tool nodes without `approval` that it reaches. */
	readonly tools: readonly string[];
}

/** The most model calls that one run can make; those that remote agents make for themselves are not counted. */
export interface ModelCallBound {
	/** Never more than `maxSteps`, since each model turn is a step. */
	readonly most: number;
	/** `graph`: `maxTurns` and `maxCalls` bound it; `maxSteps`: nothing else does. */
	readonly boundBy: "graph" | "maxSteps";
	/** A cycle that only `maxSteps` and `maxDepth` end: ids in the order of its edges, the first not repeated. */
	readonly cycle?: readonly string[];
	/** Call edges without `maxCalls` to nodes that make model calls, as `from → to`. */
	readonly unlimitedCalls?: readonly string[];
}

/** `process`: Node, a browser or a phone; `runtime`: the self-hosted runtime; `service`: a stored agent. */
export type RunPlace = "process" | "runtime" | "service";

export interface Runnable {
	readonly runs: boolean;
	/** Why it does not run there, or what it needs there. */
	readonly notes: readonly string[];
}

/** Tells what a valid graph can reach, cost and where it can run, without running it. */
export function inspectAgent(graph: AgentGraph): AgentInspection {
	const index = indexGraph(graph);
	const reachable = new Map(graph.nodes.map((node) => [node.id, collectReachable(node.id, index)]));
	const entry = graph.nodes.find((node) => node.kind === "coordinator");
	const fromEntry = reachable.get(entry?.id ?? "");
	return {
		unreachable: graph.nodes.map(({ id }) => id).filter((id) => id !== entry?.id && !fromEntry?.has(id)),
		reach: Object.fromEntries(graph.nodes.map(({ id }) => [id, toReach(nodesOf(reachable.get(id), index))])),
		untrustedToEffect: graph.nodes.flatMap((node) => findUntrustedToEffect(node, index, reachable)),
		modelCalls: boundModelCalls(entry, index, graph.limits),
		runsIn: findRunPlaces(graph.nodes),
	};
}

interface GraphIndex {
	readonly nodes: ReadonlyMap<string, AgentNode>;
	readonly outgoing: ReadonlyMap<string, readonly NonNullable<AgentGraph["edges"]>[number][]>;
}

function indexGraph({ nodes, edges = [] }: AgentGraph): GraphIndex {
	const outgoing = new Map<string, (typeof edges)[number][]>(nodes.map((node) => [node.id, []]));
	for (const edge of edges) outgoing.get(edge.from)?.push(edge);
	return { nodes: new Map(nodes.map((node) => [node.id, node])), outgoing };
}

/** All ids that a path of edges leads to; the start only when a cycle leads back to it. */
function collectReachable(start: string, { outgoing }: GraphIndex): Set<string> {
	const found = new Set<string>();
	const open = [start];
	for (let id = open.pop(); id !== undefined; id = open.pop())
		for (const { to } of outgoing.get(id) ?? [])
			if (!found.has(to)) {
				found.add(to);
				open.push(to);
			}
	return found;
}

/** In document order. */
const nodesOf = (ids: ReadonlySet<string> | undefined, { nodes }: GraphIndex): AgentNode[] =>
	[...nodes.values()].filter(({ id }) => ids?.has(id));

function toReach(nodes: readonly AgentNode[]): NodeReach {
	const knowledgeBases = nodes.flatMap((node) => (node.kind === "knowledge" ? node.knowledgeBases : []));
	const idsOf = (kind: string): string[] => nodes.filter((node) => node.kind === kind).map(({ id }) => id);
	return { knowledgeBases: [...new Set(knowledgeBases)], tools: idsOf("tool"), remotes: idsOf("remote") };
}

function findUntrustedToEffect(
	node: AgentNode,
	index: GraphIndex,
	reachable: ReadonlyMap<string, Set<string>>,
): UntrustedToEffect[] {
	const reached = nodesOf(reachable.get(node.id), index);
	const reads = (reached.includes(node) ? reached : [node, ...reached]).filter(
		({ kind }) => kind === "knowledge" || kind === "remote",
	);
	const tools = reached.filter((other) => other.kind === "tool" && other.approval !== true);
	if (reads.length === 0 || tools.length === 0) return [];
	return [{ node: node.id, reads: reads.map(({ id }) => id), tools: tools.map(({ id }) => id) }];
}

function boundModelCalls(
	entry: AgentNode | undefined,
	index: GraphIndex,
	limits: RunLimits | undefined,
): ModelCallBound {
	const maxSteps = limits?.maxSteps ?? DEFAULT_LIMITS.maxSteps;
	if (entry === undefined) return { most: 0, boundBy: "graph" };
	const within = new Set([entry.id, ...collectReachable(entry.id, index)]);
	const cycle = findCycle(within, index);
	const costs = new Map<string, number>();
	const unlimited = cycle === undefined ? findUnlimitedCalls(within, index, costs) : [];
	if (cycle !== undefined || unlimited.length > 0)
		return {
			most: maxSteps,
			boundBy: "maxSteps",
			...(cycle === undefined ? {} : { cycle }),
			...(unlimited.length === 0 ? {} : { unlimitedCalls: unlimited }),
		};
	const most = countCalls(entry.id, index, costs);
	return most <= maxSteps ? { most, boundBy: "graph" } : { most: maxSteps, boundBy: "maxSteps" };
}

function findCycle(within: ReadonlySet<string>, { outgoing }: GraphIndex): string[] | undefined {
	const ids = [...within];
	const vertices = new Map(ids.map((id, vertex) => [id, vertex]));
	const successors = ids.map((id) => (outgoing.get(id) ?? []).map(({ to }) => vertices.get(to) ?? 0));
	const component = findCyclicComponents(successors)[0];
	return component && walkCycle(component, successors).map((vertex) => ids[vertex] ?? "");
}

function findUnlimitedCalls(
	within: ReadonlySet<string>,
	index: GraphIndex,
	costs: Map<string, number>,
): string[] {
	return [...within].flatMap((id) =>
		(index.outgoing.get(id) ?? [])
			.filter((edge) => (edge.mode ?? "call") === "call" && !("maxCalls" in edge))
			.filter(({ to }) => countCalls(to, index, costs) > 0)
			.map(({ from, to }) => `${from} → ${to}`),
	);
}

/** The most model calls of one invocation; the graph has no cycle here. An unlimited call counts once. */
function countCalls(start: string, index: GraphIndex, costs: Map<string, number>): number {
	const open = [start];
	for (let id = open.at(-1); id !== undefined; id = open.at(-1)) {
		const missing = (index.outgoing.get(id) ?? []).filter(({ to }) => !costs.has(to));
		if (missing.length > 0) open.push(...missing.map(({ to }) => to));
		else {
			costs.set(id, sumCalls(id, index, costs));
			open.pop();
		}
	}
	return costs.get(start) ?? 0;
}

function sumCalls(id: string, { nodes, outgoing }: GraphIndex, costs: ReadonlyMap<string, number>): number {
	const node = nodes.get(id);
	const edges = outgoing.get(id) ?? [];
	const cost = ({ to }: { to: string }): number => costs.get(to) ?? 0;
	const sum = (of: readonly number[]): number => of.reduce((total, one) => total + one, 0);
	const own =
		node !== undefined && isModelNode(node)
			? (node.maxTurns ?? DEFAULT_MAX_TURNS) + (node.output === undefined ? 0 : 1)
			: 0;
	const before = sum(edges.filter(({ mode }) => mode === "before").map(cost));
	const called = sum(
		edges.map((edge) =>
			(edge.mode ?? "call") === "call" ? cost(edge) * ("maxCalls" in edge ? (edge.maxCalls ?? 1) : 1) : 0,
		),
	);
	const handedOver = Math.max(0, ...edges.filter(({ mode }) => mode === "handoff").map(cost));
	const continuations = edges.filter((edge): edge is ThenEdge => edge.mode === "then");
	const isSwitch = continuations.some(({ when }) => when !== undefined);
	const continued = isSwitch ? Math.max(...continuations.map(cost)) : sum(continuations.map(cost));
	return own + before + called + handedOver + continued;
}

function findRunPlaces(nodes: readonly AgentNode[]): Record<RunPlace, Runnable> {
	const registered: string[] = [];
	const refused: string[] = [];
	const secrets: string[] = [];
	for (const node of nodes) {
		if (node.kind !== "tool" && node.kind !== "remote") continue;
		if (node.auth !== undefined) secrets.push(`"${node.id}" needs the secret "${node.auth.secret}".`);
		if (node.kind !== "tool" || node.server !== undefined) continue;
		registered.push(`"${node.id}" needs a tool registered in code under the name "${node.tool}".`);
		refused.push(`"${node.id}" is a tool registered in code; the service calls only tools with a "server".`);
	}
	const here: Runnable = { runs: true, notes: [...registered, ...secrets] };
	return {
		process: here,
		runtime: here,
		service: { runs: refused.length === 0, notes: [...refused, ...secrets] },
	};
}
