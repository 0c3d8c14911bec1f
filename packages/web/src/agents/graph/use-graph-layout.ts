import type { AgentGraph } from "@stemma/core";
import { useEffect, useState } from "react";
import type { GraphLayout } from "./lay-out-graph";

/** Larger graphs are not drawn: nobody could read them, and laying them out takes minutes. */
const MAX_DRAWN_NODES = 300;
const MAX_DRAWN_EDGES = 1_500;

export const isDrawable = ({ nodes, edges = [] }: AgentGraph): boolean =>
	nodes.length <= MAX_DRAWN_NODES && edges.length <= MAX_DRAWN_EDGES;

/** Layout of a graph, made beside the page. The one before stays until the next is there; `undefined` before the first. */
export function useGraphLayout(graph: AgentGraph): GraphLayout | undefined {
	const [layout, setLayout] = useState<GraphLayout>();
	useEffect(() => {
		if (!isDrawable(graph)) return;
		const worker = new Worker(new URL("./layout-worker.ts", import.meta.url), { type: "module" });
		worker.addEventListener("message", ({ data }: MessageEvent<GraphLayout>) => setLayout(data));
		worker.postMessage(toShape(graph));
		return () => worker.terminate();
	}, [graph]);
	return layout;
}

/** Parts of a graph that its drawing depends on. */
const toShape = ({ nodes, edges = [] }: AgentGraph) => ({
	nodes: nodes.map(({ id, kind }) => ({ id, kind })),
	edges: edges.map(({ from, to, mode }) => ({ from, to, mode })),
});
