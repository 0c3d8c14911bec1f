import type { AgentGraph } from "@stemma/core";
import { describe, expect, it } from "vitest";
import { layOutGraph, NODE_HEIGHT, NODE_WIDTH } from "./lay-out-graph";

const graph: AgentGraph = {
	nodes: [
		{ id: "desk", kind: "coordinator" },
		{ id: "law", kind: "agent" },
		{ id: "pages", kind: "knowledge", knowledgeBases: ["handbook"] },
		{ id: "mail", kind: "tool", tool: "send" },
	],
	edges: [
		{ from: "desk", to: "law" },
		{ from: "desk", to: "law", mode: "handoff" },
		{ from: "law", to: "desk", mode: "handoff" },
		{ from: "law", to: "pages", mode: "before" },
		{ from: "desk", to: "mail" },
	],
};

describe("the layout of a graph", () => {
	it("has each node once, none over another, within its size", () => {
		const { nodes, width, height } = layOutGraph(graph);
		expect(nodes.map(({ id }) => id)).toEqual(["desk", "law", "pages", "mail"]);
		for (const [index, { x, y }] of nodes.entries()) {
			expect(x).toBeGreaterThanOrEqual(NODE_WIDTH / 2);
			expect(y).toBeGreaterThanOrEqual(NODE_HEIGHT / 2);
			expect(x).toBeLessThanOrEqual(width - NODE_WIDTH / 2);
			expect(y).toBeLessThanOrEqual(height - NODE_HEIGHT / 2);
			for (const other of nodes.slice(index + 1))
				expect(Math.abs(other.x - x) >= NODE_WIDTH || Math.abs(other.y - y) >= NODE_HEIGHT).toBe(true);
		}
	});

	it("puts what is reached below what reaches it, and keeps edges of other modes apart, also in a cycle", () => {
		const { nodes, edges } = layOutGraph(graph);
		const [desk, law, pages] = nodes;
		expect(law?.y).toBeGreaterThan(desk?.y ?? 0);
		expect(pages?.y).toBeGreaterThan(law?.y ?? 0);
		expect(edges.map(({ mode }) => mode)).toEqual(["call", "handoff", "handoff", "before", "call"]);
		const lines = edges.map(({ points }) => JSON.stringify(points));
		expect(new Set(lines).size).toBe(lines.length);
		for (const { points } of edges) expect(points.length).toBeGreaterThan(1);
	});

	it("is of one node, too", () => {
		expect(layOutGraph({ nodes: [{ id: "desk", kind: "coordinator" }] })).toMatchObject({ edges: [] });
	});
});
