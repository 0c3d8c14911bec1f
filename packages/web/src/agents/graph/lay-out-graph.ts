import { Graph, layout } from "@dagrejs/dagre";
import type { AgentGraph, EdgeMode, NodeKind } from "@stemma/core";

/** Node as it is drawn; `x` and `y` are its centre. Lengths are pixels. */
export interface DrawnNode {
	readonly id: string;
	readonly kind: NodeKind;
	readonly x: number;
	readonly y: number;
}

export interface DrawnEdge {
	readonly from: string;
	readonly to: string;
	readonly mode: EdgeMode;
	/** Line through these, the last at the border of `to`. */
	readonly points: readonly { readonly x: number; readonly y: number }[];
	/** Centre of its label. */
	readonly x: number;
	readonly y: number;
}

/** Layered drawing of a graph. */
export interface GraphLayout {
	readonly width: number;
	readonly height: number;
	readonly nodes: readonly DrawnNode[];
	readonly edges: readonly DrawnEdge[];
}

export const NODE_WIDTH = 168;
export const NODE_HEIGHT = 52;
const LABEL_WIDTH = 62;
const LABEL_HEIGHT = 18;
const SPACING = { nodesep: 28, ranksep: 44, edgesep: 14, marginx: 12, marginy: 12 };

/** Lays a graph out in layers, with as few crossings as is easy to find. */
export function layOutGraph({ nodes, edges = [] }: AgentGraph): GraphLayout {
	const graph = new Graph<object, Box, Line>({ multigraph: true });
	graph.setGraph({ rankdir: "TB", ...SPACING });
	for (const { id } of nodes) graph.setNode(id, { width: NODE_WIDTH, height: NODE_HEIGHT, x: 0, y: 0 });
	for (const { from, to, mode = "call" } of edges) {
		const label = { width: LABEL_WIDTH, height: LABEL_HEIGHT, labelpos: "c", x: 0, y: 0, points: [] };
		graph.setEdge(from, to, label, mode);
	}
	layout(graph);
	const drawnNodes = nodes.map(({ id, kind }): DrawnNode => {
		const { x, y } = graph.node(id);
		return { id, kind, x, y };
	});
	const drawnEdges = edges.map(({ from, to, mode = "call" }): DrawnEdge => {
		const { x, y, points } = graph.edge(from, to, mode);
		return { from, to, mode, points, x, y };
	});
	return { ...measure(drawnNodes, drawnEdges), nodes: drawnNodes, edges: drawnEdges };
}

interface Box {
	readonly width: number;
	readonly height: number;
	readonly x: number;
	readonly y: number;
}

interface Line extends Box {
	readonly labelpos: string;
	readonly points: readonly { readonly x: number; readonly y: number }[];
}

/** Size that holds all nodes, lines and labels. */
function measure(nodes: readonly DrawnNode[], edges: readonly DrawnEdge[]) {
	const right = [
		...nodes.map(({ x }) => x + NODE_WIDTH / 2),
		...edges.flatMap(({ x, points }) => [x + LABEL_WIDTH / 2, ...points.map((point) => point.x)]),
	];
	const bottom = [
		...nodes.map(({ y }) => y + NODE_HEIGHT / 2),
		...edges.flatMap(({ points }) => points.map((point) => point.y)),
	];
	return { width: Math.max(...right) + SPACING.marginx, height: Math.max(...bottom) + SPACING.marginy };
}
