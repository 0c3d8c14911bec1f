import { isJsonObject } from "../json";

/** The parts of a graph that the rules look at, read from any JSON: what has the wrong type is left out. */
export interface GraphOutline {
	/** True where the graph has a list of nodes. */
	readonly hasNodes: boolean;
	readonly nodes: readonly NodeOutline[];
	readonly edges: readonly EdgeOutline[];
}

export interface NodeOutline {
	readonly index: number;
	readonly id: string | undefined;
	readonly kind: string | undefined;
	readonly fields: Readonly<Record<string, unknown>>;
}

export interface EdgeOutline {
	readonly index: number;
	readonly from: string | undefined;
	readonly to: string | undefined;
	/** `call` where it is left out. */
	readonly mode: string | undefined;
	/** True where the edge has a guard, of any shape. */
	readonly guarded: boolean;
	readonly when: Readonly<Record<string, unknown>> | undefined;
}

const asString = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

const asList = (list: unknown): readonly unknown[] => (Array.isArray(list) ? list : []);

/** Reads the outline of anything; of what is no graph at all, an empty one. */
export function readGraphOutline(graph: unknown): GraphOutline {
	const { nodes, edges } = isJsonObject(graph) ? graph : {};
	return {
		hasNodes: Array.isArray(nodes),
		nodes: asList(nodes).map((node, index) => {
			const fields = isJsonObject(node) ? node : {};
			return {
				index,
				id: asString(fields.id),
				kind: asString(fields.kind),
				fields,
			};
		}),
		edges: asList(edges).map((edge, index) => {
			const fields = isJsonObject(edge) ? edge : {};
			return {
				index,
				from: asString(fields.from),
				to: asString(fields.to),
				mode: fields.mode === undefined ? "call" : asString(fields.mode),
				guarded: fields.when !== undefined,
				when: isJsonObject(fields.when) ? fields.when : undefined,
			};
		}),
	};
}

/** The `then` edges of each node, in document order. */
export function groupContinuations(edges: readonly EdgeOutline[]): Map<string, EdgeOutline[]> {
	const groups = new Map<string, EdgeOutline[]>();
	for (const edge of edges) {
		if (edge.mode !== "then" || edge.from === undefined) continue;
		const group = groups.get(edge.from);
		if (group === undefined) groups.set(edge.from, [edge]);
		else group.push(edge);
	}
	return groups;
}

/** Checks whether the `then` edges of a node are a switch rather than all plain. */
export const isSwitch = (group: readonly EdgeOutline[]): boolean => group.some((edge) => edge.guarded);
