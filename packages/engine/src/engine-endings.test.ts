import type { AgentEdge, AgentGraph, AgentNode, EdgeMode, RunLimits } from "@stemma/core";
import { describe, expect, it } from "vitest";
import { calls, type Line, manualHost, runScripted, type Script } from "./test-support/scripted";

const node = (id: string, fields: Partial<AgentNode> = {}): AgentNode =>
	// Agents and coordinators only.
	({ id, kind: id === "desk" ? "coordinator" : "agent", ...fields }) as AgentNode;
const edge = (from: string, mode: EdgeMode, to: string, equals?: string): AgentEdge =>
	({ from, to, mode, ...(equals === undefined ? {} : { when: { path: "", equals } }) }) as AgentEdge;
const always = (line: Line) => (): Line => line;

/** Where a run may be when a limit is reached: each goes on without end, or to a great depth, if nothing stops it. */
const SITUATIONS: Readonly<
	Record<string, { readonly edges: readonly AgentEdge[]; readonly script: Script }>
> = {
	"before, call and then": {
		edges: [
			edge("desk", "before", "a"),
			edge("desk", "call", "b"),
			edge("b", "call", "desk"),
			edge("desk", "then", "c", "go"),
			edge("c", "then", "desk", "go"),
		],
		script: {
			desk: always({ text: "go", ...calls(["b", "x"]) }),
			b: always(calls(["desk", "y"])),
			c: always("go"),
		},
	},
	"a fan-out": {
		edges: [
			edge("desk", "then", "a"),
			edge("desk", "then", "b"),
			edge("a", "then", "c", "go"),
			edge("c", "call", "desk"),
		],
		script: { desk: always("go"), a: always("go"), b: always("go"), c: always(calls(["desk", "again"])) },
	},
	"a switch": {
		edges: [
			edge("desk", "then", "a", "go"),
			edge("a", "then", "desk", "go"),
			edge("a", "call", "b"),
			edge("b", "call", "a"),
		],
		script: { desk: always("go"), a: always(calls(["b", "x"])), b: always(calls(["a", "y"])) },
	},
	"a chain of hand-overs": {
		edges: [
			edge("desk", "handoff", "a"),
			edge("a", "handoff", "b"),
			edge("b", "handoff", "desk"),
			edge("a", "then", "c"),
		],
		script: {
			desk: always(calls(["a", "x"])),
			a: always(calls(["b", "y"])),
			b: always(calls(["desk", "z"])),
		},
	},
	"calls at once": {
		edges: [edge("desk", "call", "a"), edge("a", "call", "desk"), edge("desk", "call", "b")],
		script: { desk: always(calls(["a", "1"], ["a", "2"], ["b", "3"])), a: always(calls(["desk", "x"])) },
	},
};

const graphOf = (edges: readonly AgentEdge[], limits: RunLimits): AgentGraph => ({
	nodes: ["desk", "a", "b", "c"].map((id) => node(id)),
	edges,
	limits,
});

describe.each(Object.entries(SITUATIONS))("in %s", (_, { edges, script }) => {
	it.each([1, 2, 5, 13, 40])("a run of at most %s steps ends before the next", async (maxSteps) => {
		const { result } = await runScripted(graphOf(edges, { maxSteps }), { script });
		expect([result.status, result.error?.code]).toEqual(["failed", "max_steps"]);
		expect(result.usage.steps).toBeLessThanOrEqual(maxSteps);
		// What was planned when it ended was not done, and is no step.
		expect(result.usage.steps).toBeGreaterThan(maxSteps - 9);
	});

	it.each([20, 200, 1000])(
		"a run of at most %s tokens ends before the call that would cross it",
		async (maxTokens) => {
			const { result } = await runScripted(graphOf(edges, { maxTokens, maxSteps: 1000 }), { script });
			expect([result.status, result.error?.code]).toEqual(["failed", "max_tokens"]);
			expect(result.receipt.length).toBe(result.usage.model_calls);
		},
	);

	it.each([0, 3, 10])(
		"a run whose time is up after %s turns ends with what was done so far",
		async (turns) => {
			const host = manualHost();
			const timed: Script = Object.fromEntries(
				["desk", "a", "b", "c"].map((id) => [
					id,
					async (request) => {
						host.advance(10);
						const line = script[id];
						return typeof line === "function" ? line(request) : `${id} has nothing to say`;
					},
				]),
			);
			const limits = { timeoutMs: 10 * turns + 5, maxSteps: 1000, maxTokens: 1_000_000 };
			const { result } = await runScripted(graphOf(edges, limits), { script: timed, host });
			expect([result.status, result.error?.code]).toEqual(["failed", "timeout"]);
			expect(result.usage.model_calls).toBeGreaterThanOrEqual(Math.min(turns, 1));
		},
	);

	it.each([1, 2, 4])("nothing is called more than %s deep, and the run ends", async (maxDepth) => {
		const { result, requests } = await runScripted(graphOf(edges, { maxDepth, maxSteps: 300 }), { script });
		expect(Math.max(...requests.map(({ origin }) => origin?.depth ?? 0))).toBeLessThanOrEqual(maxDepth);
		expect(["completed", "failed"]).toContain(result.status);
	});
});

it("maxTurns ends a node within any nesting, and is an error result for whoever called it", async () => {
	const { result, requests } = await runScripted(
		{
			nodes: [node("desk"), node("a", { maxTurns: 2 } as Partial<AgentNode>), node("b")],
			edges: [edge("desk", "call", "a"), edge("a", "call", "b")],
		},
		{ script: { desk: [calls(["a", "x"]), "So."], a: always(calls(["b", "y"])) } },
	);
	expect(requests.filter(({ origin }) => origin?.node === "a").map(({ toolChoice }) => toolChoice)).toEqual([
		"auto",
		"none",
	]);
	expect(requests.at(-1)?.messages.at(-1)?.content).toContain("max_turns");
	expect(result.output).toBe("So.");
});

it("maxCalls counts for each invocation on its own, also for calls of one turn", async () => {
	const { events } = await runScripted(
		{
			nodes: [node("desk"), node("a"), node("b")],
			edges: [edge("desk", "call", "a"), { from: "a", to: "b", maxCalls: 2 }],
		},
		{
			script: {
				desk: [calls(["a", "1"], ["a", "2"]), "Done."],
				a: ({ messages }) => (messages.length === 1 ? calls(["b", "1"], ["b", "2"], ["b", "3"]) : "A."),
			},
		},
	);
	const countOf = (type: string): number =>
		events.filter((event) => event.type === type && "node" in event && event.node === "a").length;
	expect([countOf("tool.called"), countOf("tool.skipped")]).toEqual([4, 2]);
});
