import { findCyclicComponents, findPath } from "../graph/strongly-connected";
import { quote } from "../internal/quote";
import { type EdgeOutline, type GraphOutline, groupContinuations, isSwitch } from "./graph-outline";
import type { Rule } from "./rule";

/** One issue for each set of nodes that can never end because they lead to one another. */
export const endlessCycleRule: Rule = (outline, report) => {
	const { ids, successors, edges } = readUnguarded(outline);
	const components = findCyclicComponents(successors);
	const componentOf = new Map(
		components.flatMap((component) => component.map((vertex) => [vertex, component])),
	);
	for (const { index, from, to } of edges) {
		const component = componentOf.get(from);
		if (component === undefined || componentOf.get(to) !== component) continue;
		// The first edge inside a component is its place; the others are not reported.
		for (const vertex of component) componentOf.delete(vertex);
		report("endless_cycle", ["edges", index], describeCycle({ from, to }, component, successors, ids));
	}
};

interface UnguardedGraph {
	readonly ids: readonly string[];
	/** Vertices that edges which are always taken lead to, by vertex. */
	readonly successors: readonly (readonly number[])[];
	/** Edges in document order, with vertices for ends. */
	readonly edges: readonly { readonly index: number; readonly from: number; readonly to: number }[];
}

function readUnguarded(outline: GraphOutline): UnguardedGraph {
	const ids = [...new Set(outline.nodes.flatMap(({ id }) => id ?? []))];
	const vertices = new Map(ids.map((id, vertex) => [id, vertex]));
	const successors: number[][] = ids.map(() => []);
	const edges = findUnguarded(outline.edges).flatMap(({ index, from = "", to = "" }) => {
		const endpoints = { index, from: vertices.get(from) ?? -1, to: vertices.get(to) ?? -1 };
		return endpoints.from < 0 || endpoints.to < 0 || endpoints.from === endpoints.to ? [] : [endpoints];
	});
	for (const { from, to } of edges) successors[from]?.push(to);
	return { ids, successors, edges };
}

/** A switch may take another branch or none, so none of its edges can make a cycle endless. */
function findUnguarded(edges: readonly EdgeOutline[]): EdgeOutline[] {
	const groups = [...groupContinuations(edges).values()];
	const switched = new Set(groups.filter(isSwitch).flat());
	return edges.filter((edge) => edge.mode === "before" || (edge.mode === "then" && !switched.has(edge)));
}

/** Most nodes of a cycle that a message names. */
const MAX_NAMED_NODES = 6;

function describeCycle(
	edge: { readonly from: number; readonly to: number },
	component: readonly number[],
	successors: readonly (readonly number[])[],
	ids: readonly string[],
): string {
	const back = findPath(edge.to, edge.from, successors, new Set(component));
	const cycle = [edge.from, ...back.slice(0, -1)];
	const named = cycle.slice(0, MAX_NAMED_NODES).map((vertex) => quote(ids[vertex] ?? ""));
	const path = [...named, ...(cycle.length > MAX_NAMED_NODES ? ["…"] : []), named[0]].join(" → ");
	const others =
		component.length > cycle.length ? ` (one of the cycles among ${component.length} nodes)` : "";
	return `Only "before" and unguarded "then" edges form this cycle, so it can never end: give a "then" edge of it a "when", or remove an edge. ${path}${others}`;
}
