import { expect, test } from "vitest";
import { AgentGraphError } from "../errors";
import { defineAgent } from "./define-agent";

test("returns a frozen copy and leaves its argument alone", () => {
	const graph = { nodes: [{ id: "desk", kind: "coordinator", metadata: { a: [1] } }] } as const;
	const agent = defineAgent(graph);
	expect(agent).toEqual(graph);
	expect(agent).not.toBe(graph);
	expect(Object.isFrozen(agent.nodes[0]?.metadata)).toBe(true);
	expect(Object.isFrozen(graph.nodes[0])).toBe(false);
	expect(() => Object.assign(agent, { name: "x" })).toThrow(TypeError);
});

test("throws one error with every violation", () => {
	const graph = JSON.parse('{ "nodes": [], "name": "", "edges": [{ "from": "a", "to": "a" }] }');
	try {
		defineAgent(graph);
		expect.unreachable();
	} catch (error) {
		if (!AgentGraphError.is(error)) throw error;
		expect(error.code).toBe("agent_invalid");
		expect(error.issues.map(({ code }) => code).sort()).toEqual([
			"empty_graph",
			"invalid_shape",
			"self_loop",
			"unknown_node",
			"unknown_node",
		]);
	}
});
