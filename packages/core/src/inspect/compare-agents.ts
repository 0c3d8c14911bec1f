import type { AgentEdge, AgentGraph, AgentNode } from "../graph/agent-graph";
import { isJsonObject, type Json } from "../json";

/** Differences of two graphs, found by {@link compareAgents}. All lists are empty where the graphs mean the same. */
export interface AgentComparison {
	/** Fields of the graph itself, such as its name and limits. */
	readonly fields: readonly FieldChange[];
	/** Nodes by their ids: one with another id is removed and added. */
	readonly nodes: PartChanges<AgentNode>;
	/** Edges by the nodes that they connect; between the same two nodes, in their order. */
	readonly edges: PartChanges<AgentEdge>;
	/** Ids of nodes whose `then` edges are the same and are tried in another order. */
	readonly reordered: readonly string[];
}

/** Nodes or edges that only one of two graphs has, or that both have with other fields. */
export interface PartChanges<Part> {
	readonly added: readonly Part[];
	readonly removed: readonly Part[];
	readonly changed: readonly PartChange<Part>[];
}

/** Node or edge of which fields changed. */
export interface PartChange<Part> {
	readonly before: Part;
	readonly after: Part;
	/** Fields with another value, one or more. */
	readonly fields: readonly FieldChange[];
}

/** Field with another value. Objects are compared field by field, lists as a whole. */
export interface FieldChange {
	/** Keys that lead to it, such as `["model", "temperature"]`. */
	readonly path: readonly string[];
	/** Left out where the field was not there. */
	readonly before?: Json;
	/** Left out where the field is no longer there. */
	readonly after?: Json;
}

/** Compares two valid graphs by what they mean: the order of keys and of nodes does not count, nor does `mode: "call"`, the default. */
export function compareAgents(before: AgentGraph, after: AgentGraph): AgentComparison {
	return {
		fields: compareFields(toOwnFields(before), toOwnFields(after)),
		nodes: compareParts(before.nodes, after.nodes, ({ id }) => id),
		edges: compareParts(before.edges ?? [], after.edges ?? [], ({ from, to }) => JSON.stringify([from, to])),
		reordered: findReordered(before, after),
	};
}

const toOwnFields = ({ nodes: _, edges: __, ...fields }: AgentGraph): object => fields;

function compareParts<Part extends AgentNode | AgentEdge>(
	before: readonly Part[],
	after: readonly Part[],
	keyOf: (part: Part) => string,
): PartChanges<Part> {
	const left = new Map<string, Part[]>();
	for (const part of before) left.set(keyOf(part), [...(left.get(keyOf(part)) ?? []), part]);
	const added: Part[] = [];
	const changed: PartChange<Part>[] = [];
	for (const part of after) {
		const match = left.get(keyOf(part))?.shift();
		if (match === undefined) added.push(part);
		else {
			const fields = compareFields(withMode(match), withMode(part));
			if (fields.length > 0) changed.push({ before: match, after: part, fields });
		}
	}
	return { added, removed: before.filter((part) => left.get(keyOf(part))?.includes(part)), changed };
}

const withMode = (part: AgentNode | AgentEdge): object => ("from" in part ? { mode: "call", ...part } : part);

/** Finds the nodes whose `then` edges lead to the same nodes in another order: the first that holds is taken. */
function findReordered(before: AgentGraph, after: AgentGraph): string[] {
	const listTargets = ({ edges = [] }: AgentGraph): Map<string, string[]> => {
		const targets = new Map<string, string[]>();
		for (const { from, to, mode } of edges)
			if (mode === "then") targets.set(from, [...(targets.get(from) ?? []), to]);
		return targets;
	};
	const earlier = listTargets(before);
	return [...listTargets(after)]
		.filter(([from, targets]) => {
			const old = earlier.get(from) ?? [];
			return (
				JSON.stringify(old) !== JSON.stringify(targets) &&
				JSON.stringify([...old].sort()) === JSON.stringify([...targets].sort())
			);
		})
		.map(([from]) => from);
}

function compareFields(before: unknown, after: unknown, path: readonly string[] = []): FieldChange[] {
	if (isJsonObject(before) && isJsonObject(after))
		return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) =>
			compareFields(readOwn(before, key), readOwn(after, key), [...path, key]),
		);
	if (isSame(before, after)) return [];
	return [{ path, ...toField("before", before), ...toField("after", after) }];
}

const isSame = (before: unknown, after: unknown): boolean =>
	Array.isArray(before) && Array.isArray(after)
		? before.length === after.length &&
			before.every((value, index) => compareFields(value, after[index]).length === 0)
		: before === after;

/** A key such as `__proto__` is one only where the object has it itself. */
const readOwn = (object: object, key: string): unknown => Object.getOwnPropertyDescriptor(object, key)?.value;

const toField = (name: "before" | "after", value: unknown): object =>
	value === undefined ? {} : { [name]: value };
