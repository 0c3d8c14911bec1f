import {
	type AgentEdge,
	type AgentGraph,
	type AgentNode,
	type ChatTool,
	DEFAULT_MAX_TURNS,
	type Guard,
	isModelNode,
	type ModelNode,
	type RunLimits,
} from "@stemma/core";
import { type InstructionTemplate, parseInstructions } from "./instruction-template";
import { createToolSet, type ToolSet } from "./tool-set";

/** A graph with its edges as references, made once and run many times. */
export interface CompiledGraph {
	readonly name: string | undefined;
	readonly coordinator: CompiledNode;
	/** The nodes that the coordinator reaches, itself first. */
	readonly reachable: readonly CompiledNode[];
	/** Reachable nodes that a model answers for. */
	readonly modelNodes: readonly CompiledNode[];
	/** Instructions in which values of the context stand. */
	readonly templates: readonly NodeTemplate[];
	/** Reachable nodes that are tools. */
	readonly toolNodes: readonly CompiledNode[];
	/** Reachable nodes whose model may call tools. */
	readonly toolCallers: readonly CompiledNode[];
	/** All that the coordinator reaches. */
	readonly knowledgeBases: readonly string[];
	/** A node may be shown data, which has to be told from words of the user. */
	readonly needsDataBoundary: boolean;
	readonly limits: RunLimits;
}

export interface CompiledNode {
	readonly id: string;
	/** Position of the node among the nodes of the graph. Lists in the state of a run are indexed by it. */
	readonly index: number;
	readonly definition: AgentNode;
	readonly before: CompiledNode[];
	/** Nodes that its model may call or hand off to, by id. */
	readonly callees: Map<string, Callee>;
	/** Descriptions of `callees` as a model sees them; tools do not have their parameters yet. */
	toolSet: ToolSet;
	/** Callees are tools, of which a run has to ask what they take. */
	hasToolCallees: boolean;
	/** True where some of the callees can be handed off to. */
	hasHandoffs: boolean;
	readonly continuations: Continuation[];
	/** The continuations are a switch: the first that holds is taken. */
	isSwitch: boolean;
	/** Model nodes only. */
	readonly modelSettings: ModelNodeSettings | undefined;
}

export interface ModelNodeSettings {
	readonly node: ModelNode;
	readonly maxTurns: number;
	/** The instructions where values of the context stand in them. */
	readonly template: InstructionTemplate | undefined;
	/** The instructions where nothing of the context stands in them. */
	readonly system: string | undefined;
}

/** Instructions of a model node, to be filled in for each run. */
export interface NodeTemplate {
	readonly id: string;
	readonly index: number;
	readonly template: InstructionTemplate;
}

export interface Callee {
	readonly node: CompiledNode;
	readonly maxCalls: number;
	readonly isHandoff: boolean;
}

export interface Continuation {
	readonly node: CompiledNode;
	readonly when: Guard | undefined;
}

/** @param graph - valid; `defineAgent` and `validateAgent` tell. */
export function compileGraph(graph: AgentGraph): CompiledGraph {
	const nodes = new Map(graph.nodes.map((node, index) => [node.id, compileNode(node, index)]));
	for (const edge of graph.edges ?? []) addEdge(edge, nodes);
	for (const node of nodes.values()) node.toolSet = createToolSet([...node.callees.values()].map(toChatTool));
	const coordinator = [...nodes.values()].find(({ definition }) => definition.kind === "coordinator");
	if (coordinator === undefined)
		throw new TypeError("compileGraph needs a valid graph; this one has no coordinator.");
	const reachable = collectReachable(coordinator);
	return {
		name: graph.name,
		coordinator,
		reachable,
		modelNodes: reachable.filter(({ modelSettings }) => modelSettings !== undefined),
		templates: reachable.flatMap(toNodeTemplate),
		toolNodes: reachable.filter(({ definition }) => definition.kind === "tool"),
		toolCallers: reachable.filter(({ hasToolCallees }) => hasToolCallees),
		knowledgeBases: listKnowledgeBases(reachable),
		needsDataBoundary: reachable.some(needsDataBoundary),
		limits: graph.limits ?? {},
	};
}

function listKnowledgeBases(nodes: readonly CompiledNode[]): string[] {
	const ids = nodes.flatMap(({ definition }) =>
		definition.kind === "knowledge" ? definition.knowledgeBases : [],
	);
	return [...new Set(ids)];
}

/** The context may be data, too, where instructions name it. */
const needsDataBoundary = ({ before, hasHandoffs, modelSettings }: CompiledNode): boolean =>
	before.length > 0 || hasHandoffs || modelSettings?.template !== undefined;

function compileNode(definition: AgentNode, index: number): CompiledNode {
	return {
		id: definition.id,
		index,
		definition,
		before: [],
		callees: new Map(),
		toolSet: createToolSet([]),
		hasToolCallees: false,
		hasHandoffs: false,
		continuations: [],
		isSwitch: false,
		modelSettings: isModelNode(definition) ? compileModelSettings(definition) : undefined,
	};
}

function compileModelSettings(node: ModelNode): ModelNodeSettings {
	const parsed = parseInstructions(node.instructions ?? "");
	const hasValues = parsed.paths.length > 0;
	return {
		node,
		maxTurns: node.maxTurns ?? DEFAULT_MAX_TURNS,
		template: hasValues ? parsed : undefined,
		system: hasValues ? undefined : node.instructions,
	};
}

function toNodeTemplate({ id, index, modelSettings }: CompiledNode): NodeTemplate[] {
	const template = modelSettings?.template;
	return template === undefined ? [] : [{ id, index, template }];
}

function addEdge(edge: AgentEdge, nodes: ReadonlyMap<string, CompiledNode>): void {
	const from = nodes.get(edge.from);
	const to = nodes.get(edge.to);
	if (from === undefined || to === undefined) return;
	switch (edge.mode) {
		case "before":
			from.before.push(to);
			break;
		case "then":
			from.continuations.push({ node: to, when: edge.when });
			if (edge.when !== undefined) from.isSwitch = true;
			break;
		case "handoff":
			addCallee(from, { node: to, maxCalls: Number.POSITIVE_INFINITY, isHandoff: true });
			break;
		default:
			addCallee(from, {
				node: to,
				maxCalls: edge.maxCalls ?? Number.POSITIVE_INFINITY,
				isHandoff: false,
			});
	}
}

function addCallee(from: CompiledNode, callee: Callee): void {
	from.callees.set(callee.node.id, callee);
	if (callee.node.definition.kind === "tool") from.hasToolCallees = true;
	if (callee.isHandoff) from.hasHandoffs = true;
}

const CALLEE_PARAMETERS = {
	type: "object",
	properties: { input: { type: "string" } },
	required: ["input"],
	additionalProperties: false,
} as const;

function toChatTool({ node: { definition }, isHandoff }: Callee): ChatTool {
	const { id, description, kind } = definition;
	return {
		name: id,
		...(description === undefined ? {} : { description }),
		parameters: CALLEE_PARAMETERS,
		kind: isHandoff ? "handoff" : kind,
	};
}

function collectReachable(start: CompiledNode): CompiledNode[] {
	const found = new Set([start]);
	for (const node of found) {
		for (const target of node.before) found.add(target);
		for (const { node: target } of node.callees.values()) found.add(target);
		for (const { node: target } of node.continuations) found.add(target);
	}
	return [...found];
}
