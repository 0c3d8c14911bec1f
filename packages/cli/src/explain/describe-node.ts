import {
	type AgentEdge,
	type AgentGraph,
	type AgentInspection,
	type AgentNode,
	DEFAULT_MAX_TURNS,
	DEFAULT_TOP_K,
	isModelNode,
	type KnowledgeNode,
	type ModelNode,
	type NodeReach,
	type ThenEdge,
} from "@stemma/core";
import { describeGuard } from "../agent-file/describe-guard";
import { count } from "../terminal/text/count";
import { findNotes } from "./find-notes";
import type { TextBlock, TextLine } from "./wrap-text";

/** Describes in words what a node does and may do. */
export function describeNode(
	node: AgentNode,
	{ edges = [] }: AgentGraph,
	inspection: AgentInspection,
): TextBlock {
	const own = edges.filter(({ from }) => from === node.id);
	const canCall = own.some(({ mode = "call" }) => mode === "call" || mode === "handoff");
	const texts = [
		...(isModelNode(node) ? [describeModel(node, canCall)] : describeKind(node)),
		...describeEdges(own),
		...(isModelNode(node) ? describeReach(inspection.reach[node.id]) : []),
	];
	const lines: TextLine[] = [
		...texts.map((text) => ({ text })),
		...findNotes(node, inspection).map((text) => ({ text, isWarning: true })),
	];
	return { title: node.id, note: node.kind, lines };
}

function describeKind(node: Exclude<AgentNode, ModelNode>): string[] {
	switch (node.kind) {
		case "knowledge":
			return [
				`finds at most ${count(node.topK ?? DEFAULT_TOP_K, "passage")} in ${list(node.knowledgeBases)}${describeLimits(node)}`,
			];
		case "tool": {
			const preset = Object.keys(node.arguments ?? {});
			const origin =
				node.server === undefined ? "a tool registered in code" : `a tool of ${showAddress(node.server)}`;
			return [
				`calls "${node.tool}", ${origin}${preset.length === 0 ? "" : `; preset: ${list(preset)}`}`,
				...describeSafeguards(node),
			];
		}
		case "remote":
			return [
				node.agentId === undefined
					? `runs the A2A agent at ${showAddress(node.url)}`
					: `runs the agent "${node.agentId}" of the service`,
				...describeSafeguards(node),
			];
	}
}

function describeLimits({ minScore, filter }: KnowledgeNode): string {
	const values = Object.entries(filter ?? {}).map(([key, value]) => `${key} ${JSON.stringify(value)}`);
	return [
		...(minScore === undefined ? [] : [`, of a relevance of ${minScore} or more`]),
		...(values.length === 0 ? [] : [`, of documents with ${list(values)}`]),
	].join("");
}

/** Describes a model node. A model without callees answers in its first turn. */
function describeModel({ model, maxTurns = DEFAULT_MAX_TURNS, output }: ModelNode, canCall: boolean): string {
	const chosen = [model?.provider, model?.model].filter((part) => part !== undefined).join(" ");
	return [
		chosen === "" ? "the default model" : `the model ${chosen}`,
		canCall ? `at most ${count(maxTurns, "turn")}` : "1 turn",
		...(model?.maxOutputTokens === undefined
			? []
			: [`${count(model.maxOutputTokens, "output token")} a turn`]),
		...(output === undefined ? [] : ["its text is JSON of a schema, with one repair"]),
	].join(", ");
}

const describeSafeguards = ({
	approval,
	auth,
}: Extract<AgentNode, { kind: "tool" | "remote" }>): string[] => [
	...(auth === undefined ? [] : [`sends the secret "${auth.secret}"`]),
	...(approval === true ? ["asks a person before each call"] : []),
];

/** Queries and names before an `@` may hold keys. */
function showAddress(address: string): string {
	const url = URL.parse(address);
	if (url === null) return "an address that cannot be read";
	return `${url.origin}${url.pathname}${url.search === "" ? "" : "?…"}`;
}

/** Describes edges in the order in which they are followed. */
function describeEdges(edges: readonly AgentEdge[]): string[] {
	const of = (mode: string): AgentEdge[] => edges.filter((edge) => (edge.mode ?? "call") === mode);
	const toTargets = (some: readonly AgentEdge[]): string => list(some.map(describeTarget));
	const sentence = (some: readonly AgentEdge[], words: string): string[] =>
		some.length === 0 ? [] : [`${words} ${toTargets(some)}`];
	return [
		...sentence(of("before"), "before its first turn, gets what comes from"),
		...sentence(of("call"), "may call"),
		...sentence(of("handoff"), "may hand over to"),
		...describeContinuations(of("then") as ThenEdge[]),
	];
}

const describeTarget = (edge: AgentEdge): string =>
	"maxCalls" in edge && edge.maxCalls !== undefined
		? `${edge.to} (at most ${edge.maxCalls === 1 ? "once" : `${edge.maxCalls} times`})`
		: edge.to;

function describeContinuations(edges: readonly ThenEdge[]): string[] {
	const [first, ...others] = edges;
	if (first === undefined) return [];
	if (edges.some(({ when }) => when !== undefined))
		return [
			`then goes on to ${edges.map(({ to, when }) => (when === undefined ? `else ${to}` : `${to} if ${describeGuard(when)}`)).join(", ")}${others.length === 0 ? "" : " (the first that holds)"}`,
		];
	return [
		others.length === 0
			? `then goes on to ${first.to}, whose value is its own`
			: `then goes on to ${list(edges.map(({ to }) => to))}, all at once`,
	];
}

function describeReach(reach: NodeReach | undefined): string[] {
	const parts = [
		["knowledge bases", reach?.knowledgeBases],
		["tools", reach?.tools],
		["remote agents", reach?.remotes],
	] as const;
	const found = parts.flatMap(([noun, ids = []]) => (ids.length === 0 ? [] : [`${noun} ${list(ids)}`]));
	return found.length === 0 ? [] : [`gets at ${found.join("; ")}`];
}

/** Maximum number of names in a line. */
const MAX_NAMES = 20;

/** Names with commas between; of very many the first. */
export function list(names: readonly string[]): string {
	const others = names.length - MAX_NAMES;
	return others > 0 ? `${names.slice(0, MAX_NAMES).join(", ")} and ${others} more` : names.join(", ");
}
