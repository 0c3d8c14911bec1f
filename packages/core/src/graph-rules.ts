import { didYouMean } from "./did-you-mean";
import type { AgentGraphIssue, AgentGraphIssueCode } from "./errors";
import type { EdgeOutline, GraphOutline } from "./graph-outline";
import { findCyclicComponents } from "./strongly-connected";

type Rule = (outline: GraphOutline, report: Report) => void;
type Report = (code: AgentGraphIssueCode, path: readonly (string | number)[], message: string) => void;

/** Suggesting names is quadratic, so only the first few unknown ones get a suggestion. */
const SUGGESTIONS = 20;

/** What is wrong with a graph beyond the shape of its parts. Linear in nodes and edges. */
export function findRuleIssues(outline: GraphOutline): AgentGraphIssue[] {
	const issues: AgentGraphIssue[] = [];
	const report: Report = (code, path, message) => issues.push({ code, message, path });
	for (const rule of RULES) rule(outline, report);
	return issues;
}

const quote = (text: string): string => JSON.stringify(text);

const coordinatorCount: Rule = ({ nodes }, report) => {
	const coordinators = nodes.filter((node) => node.kind === "coordinator");
	if (coordinators.length === 1 || nodes.length === 0) return;
	const found =
		coordinators.length === 0
			? 'No node is the coordinator. Give exactly one node the kind "coordinator": it receives the run\'s input.'
			: `${coordinators.length} coordinators (${coordinators
					.slice(0, 5)
					.map((node) => quote(node.id ?? `nodes[${node.index}]`))
					.join(", ")}${coordinators.length > 5 ? ", …" : ""}). Keep one and make the others "agent".`;
	report("coordinator_count", ["nodes"], found);
};

const uniqueIds: Rule = ({ nodes }, report) => {
	const firstIndex = new Map<string, number>();
	for (const { id, index } of nodes) {
		if (id === undefined) continue;
		const first = firstIndex.get(id);
		if (first === undefined) firstIndex.set(id, index);
		else report("duplicate_node_id", ["nodes", index, "id"], `${quote(id)} is already the id of nodes[${first}].`);
	}
};

const nodeFields: Rule = ({ nodes }, report) => {
	for (const { kind, index, fields } of nodes) {
		if (kind === "remote") {
			const both = fields.agentId !== undefined && fields.url !== undefined;
			const neither = fields.agentId === undefined && fields.url === undefined;
			if (both || neither)
				report(
					"invalid_shape",
					["nodes", index],
					`A remote node has exactly one of "agentId" and "url", this one ${both ? "both" : "neither"}.`,
				);
		}
		if (kind === "tool" && fields.auth !== undefined && fields.server === undefined)
			report(
				"invalid_shape",
				["nodes", index, "auth"],
				'"auth" is sent to a server: add "server", or leave "auth" out for a tool registered in code.',
			);
	}
};

const guardFields: Rule = ({ edges }, report) => {
	for (const { when, index } of edges) {
		if (when === undefined) continue;
		const tests = ["equals", "in", "exists"].filter((test) => when[test] !== undefined);
		if (tests.length === 1) continue;
		report(
			"invalid_shape",
			["edges", index, "when"],
			`Exactly one of "equals", "in" and "exists" is needed, got ${tests.length === 0 ? "none" : tests.map(quote).join(" and ")}.`,
		);
	}
};

const knownNodes: Rule = ({ nodes, edges }, report) => {
	const ids = new Set(nodes.flatMap((node) => (node.id === undefined ? [] : [node.id])));
	let unknown = 0;
	for (const edge of edges)
		for (const end of ["from", "to"] as const) {
			const id = edge[end];
			if (id === undefined || id === "" || ids.has(id)) continue;
			const hint = unknown++ < SUGGESTIONS ? didYouMean(id, ids) : "";
			report("unknown_node", ["edges", edge.index, end], `No node has the id ${quote(id)}.${hint}`);
		}
};

const selfLoops: Rule = ({ edges }, report) => {
	for (const { from, to, index } of edges)
		if (from !== undefined && from === to)
			report("self_loop", ["edges", index], `${quote(from)} has an edge to itself.`);
};

const uniqueEdges: Rule = ({ edges }, report) => {
	const firstIndex = new Map<string, number>();
	for (const { from, to, mode, index } of edges) {
		if (from === undefined || to === undefined) continue;
		const key = `${mode}\n${from}\n${to}`;
		const first = firstIndex.get(key);
		if (first === undefined) firstIndex.set(key, index);
		else
			report(
				"duplicate_edge",
				["edges", index],
				`The same as edges[${first}]: ${quote(mode)} from ${quote(from)} to ${quote(to)}.`,
			);
	}
};

const modesOfKinds: Rule = ({ nodes, edges }, report) => {
	const kinds = new Map(nodes.map((node) => [node.id, node.kind]));
	for (const { from, mode, index } of edges) {
		const kind = from === undefined ? undefined : kinds.get(from);
		if (kind !== "knowledge" && kind !== "tool" && kind !== "remote") continue;
		if (mode === "call" || mode === "handoff" || mode === "before")
			report(
				"edge_not_allowed",
				["edges", index],
				`A ${quote(mode)} edge leaves only from a coordinator or an agent; ${quote(from ?? "")} is of kind ${quote(kind)}. Only "then" leaves from every kind.`,
			);
	}
};

const unmixedContinuations: Rule = ({ edges }, report) => {
	for (const [from, group] of groupContinuations(edges)) {
		const last = group.at(-1);
		if (!isSwitch(group)) continue;
		for (const edge of group)
			if (edge.when === undefined && edge !== last)
				report(
					"edge_not_allowed",
					["edges", edge.index],
					`The "then" edges of ${quote(from)} are a switch, so this one needs "when", or the last place, where it is the else.`,
				);
	}
};

const endlessCycles: Rule = ({ nodes, edges }, report) => {
	const vertices = new Map<string, number>();
	for (const { id } of nodes) if (id !== undefined && !vertices.has(id)) vertices.set(id, vertices.size);
	const successors: number[][] = Array.from(vertices, () => []);
	for (const edge of findUnguardedEdges(edges)) {
		const from = vertices.get(edge.from ?? "");
		const to = vertices.get(edge.to ?? "");
		if (from !== undefined && to !== undefined && from !== to) successors[from]?.push(to);
	}
	const ids = [...vertices.keys()];
	for (const component of findCyclicComponents(successors))
		report("endless_cycle", ["edges"], describeCycle(component.map((vertex) => ids[vertex] ?? "")));
};

function describeCycle(ids: readonly string[]): string {
	const shown = ids.slice(0, 5).map(quote).join(", ");
	const more = ids.length > 5 ? ` and ${ids.length - 5} more` : "";
	return `${shown}${more} lead to one another by "before" and unguarded "then" edges alone, which can never end. Give a "then" edge among them a "when".`;
}

function findUnguardedEdges(edges: readonly EdgeOutline[]): EdgeOutline[] {
	const unguarded = edges.filter((edge) => edge.mode === "before");
	for (const group of groupContinuations(edges).values()) if (!isSwitch(group)) unguarded.push(...group);
	return unguarded;
}

/** A switch may take another branch or none, so none of its edges can make a cycle endless. */
const isSwitch = (group: readonly EdgeOutline[]): boolean => group.some((edge) => edge.when !== undefined);

function groupContinuations(edges: readonly EdgeOutline[]): Map<string, EdgeOutline[]> {
	const groups = new Map<string, EdgeOutline[]>();
	for (const edge of edges) {
		if (edge.mode !== "then" || edge.from === undefined) continue;
		const group = groups.get(edge.from);
		if (group === undefined) groups.set(edge.from, [edge]);
		else group.push(edge);
	}
	return groups;
}

const emptyGraph: Rule = ({ nodes }, report) => {
	if (nodes.length === 0)
		report("empty_graph", ["nodes"], 'A graph has at least one node, its coordinator: { "id": "…", "kind": "coordinator" }.');
};

const RULES: readonly Rule[] = [
	emptyGraph,
	coordinatorCount,
	uniqueIds,
	nodeFields,
	knownNodes,
	selfLoops,
	uniqueEdges,
	modesOfKinds,
	unmixedContinuations,
	guardFields,
	endlessCycles,
];

