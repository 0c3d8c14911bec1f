import { isJsonObject } from "./json";

/** The parts of a graph that the rules look at, read from any JSON: what has the wrong type is left out. */
export interface GraphOutline {
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
	readonly mode: string;
	readonly when: Readonly<Record<string, unknown>> | undefined;
}

const stringOr = <Fallback>(value: unknown, fallback: Fallback): string | Fallback =>
	typeof value === "string" ? value : fallback;

const elements = (list: unknown): readonly unknown[] => (Array.isArray(list) ? list : []);

/** Reads the outline of anything; of what is no graph at all, an empty one. */
export function readGraphOutline(graph: unknown): GraphOutline {
	const { nodes, edges } = isJsonObject(graph) ? graph : {};
	return {
		nodes: elements(nodes).map((node, index) => {
			const fields = isJsonObject(node) ? node : {};
			return {
				index,
				id: stringOr(fields.id, undefined),
				kind: stringOr(fields.kind, undefined),
				fields,
			};
		}),
		edges: elements(edges).map((edge, index) => {
			const fields = isJsonObject(edge) ? edge : {};
			return {
				index,
				from: stringOr(fields.from, undefined),
				to: stringOr(fields.to, undefined),
				mode: stringOr(fields.mode, "call"),
				when: isJsonObject(fields.when) ? fields.when : undefined,
			};
		}),
	};
}
