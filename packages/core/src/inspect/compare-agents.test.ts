import { describe, expect, it } from "vitest";
import type { AgentGraph } from "../graph/agent-graph";
import { compareAgents } from "./compare-agents";

const desk: AgentGraph = {
	name: "Desk",
	limits: { maxSteps: 10 },
	nodes: [
		{ id: "desk", kind: "coordinator", instructions: "Help.", model: { model: "small", temperature: 0 } },
		{ id: "pages", kind: "knowledge", knowledgeBases: ["handbook", "fees"] },
		{ id: "law", kind: "agent" },
	],
	edges: [
		{ from: "desk", to: "pages" },
		{ from: "desk", to: "law", maxCalls: 2 },
	],
};
const none = { added: [], removed: [], changed: [] };

describe("compareAgents", () => {
	it("finds nothing in what means the same", () => {
		const same: AgentGraph = {
			edges: [
				{ to: "law", maxCalls: 2, from: "desk", mode: "call" },
				{ mode: "call", from: "desk", to: "pages" },
			],
			nodes: [...desk.nodes].reverse(),
			limits: { maxSteps: 10 },
			name: "Desk",
		};
		expect(compareAgents(desk, same)).toEqual({ fields: [], nodes: none, edges: none, reordered: [] });
	});

	it("names each field that changed, was added or is gone", () => {
		const after: AgentGraph = {
			...desk,
			name: "Front desk",
			limits: { timeoutMs: 5_000 },
			nodes: [
				{ id: "desk", kind: "coordinator", model: { model: "large", temperature: 0 } },
				{ id: "pages", kind: "knowledge", knowledgeBases: ["fees", "handbook"] },
				{ id: "law", kind: "agent" },
			],
		};
		const { fields, nodes, edges } = compareAgents(desk, after);
		expect(fields).toEqual([
			{ path: ["name"], before: "Desk", after: "Front desk" },
			{ path: ["limits", "maxSteps"], before: 10 },
			{ path: ["limits", "timeoutMs"], after: 5_000 },
		]);
		expect(nodes.changed.map((change) => [change.after.id, change.fields])).toEqual([
			[
				"desk",
				[
					{ path: ["instructions"], before: "Help." },
					{ path: ["model", "model"], before: "small", after: "large" },
				],
			],
			["pages", [{ path: ["knowledgeBases"], before: ["handbook", "fees"], after: ["fees", "handbook"] }]],
		]);
		expect(edges).toEqual(none);
	});

	it("tells nodes and edges that are added and removed from those that changed", () => {
		const pay = { id: "pay", kind: "agent" } as const;
		const after: AgentGraph = {
			...desk,
			nodes: [...desk.nodes.slice(0, 2), pay],
			edges: [
				{ from: "desk", to: "pages", mode: "before" },
				{ from: "desk", to: "pay" },
			],
		};
		const { nodes, edges } = compareAgents(desk, after);
		expect(nodes).toEqual({ added: [pay], removed: [{ id: "law", kind: "agent" }], changed: [] });
		expect(edges.added).toEqual([{ from: "desk", to: "pay" }]);
		expect(edges.removed).toEqual([{ from: "desk", to: "law", maxCalls: 2 }]);
		expect(edges.changed.map(({ fields }) => fields)).toEqual([
			[{ path: ["mode"], before: "call", after: "before" }],
		]);
		const { nodes: back } = compareAgents(after, desk);
		expect([back.added, back.removed]).toEqual([nodes.removed, nodes.added]);
	});

	it("sees that a switch tries its edges in another order", () => {
		const switched = (...targets: readonly string[]): AgentGraph => ({
			nodes: [
				{ id: "desk", kind: "coordinator" },
				{ id: "a", kind: "agent" },
				{ id: "b", kind: "agent" },
			],
			edges: targets.map((to) => ({
				from: "desk",
				to,
				mode: "then",
				when: { path: `/${to}`, exists: true },
			})),
		});
		expect(compareAgents(switched("a", "b"), switched("b", "a"))).toEqual({
			fields: [],
			nodes: none,
			edges: none,
			reordered: ["desk"],
		});
		expect(compareAgents(switched("a", "b"), switched("b")).reordered).toEqual([]);
	});

	it("takes a key __proto__ as data", () => {
		const withSchema = (json: string): AgentGraph => ({
			nodes: [{ id: "desk", kind: "coordinator", output: JSON.parse(json) }],
		});
		const changed = compareAgents(withSchema("{}"), withSchema('{"__proto__": {"type": "string"}}'));
		expect(changed.nodes.changed[0]?.fields).toEqual([
			{ path: ["output", "__proto__"], after: { type: "string" } },
		]);
	});
});
