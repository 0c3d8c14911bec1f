import type {
	AgentEdge,
	AgentGraph,
	AgentNode,
	ChatEvent,
	ChatModel,
	EdgeMode,
	RunEvent,
	RunLimits,
} from "@stemma/core";
import { describe, expect, it } from "vitest";
import {
	calls,
	manualHost,
	runScripted,
	type Script,
	type ScriptedReply,
	scriptedModel,
} from "../test-support/scripted";

const node = (id: string, fields: Partial<AgentNode> = {}): AgentNode =>
	// Agents and coordinators only.
	({ id, kind: id === "desk" ? "coordinator" : "agent", ...fields }) as AgentNode;
const edge = (from: string, mode: EdgeMode, to: string, equals?: string): AgentEdge =>
	({ from, to, mode, ...(equals === undefined ? {} : { when: { path: "", equals } }) }) as AgentEdge;
const always = (line: ScriptedReply) => (): ScriptedReply => line;

/** Where a run may be when a limit is reached: each goes on without end, or to a great depth, if nothing stops it. */
const CASES: Readonly<Record<string, { readonly edges: readonly AgentEdge[]; readonly script: Script }>> = {
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
	"a chain of handoffs": {
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

describe.each(Object.entries(CASES))("in %s", (_, { edges, script }) => {
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

/**
 * The desk is handed "Fact.", calls `a`, and hands over to `b`, of whose answer two words have come when the run ends.
 * What it costs up to there is always the same.
 */
const NESTED: readonly AgentEdge[] = [
	edge("desk", "before", "c"),
	edge("desk", "call", "a"),
	edge("desk", "handoff", "b"),
	edge("b", "call", "a"),
];

const usageOf = (model_calls: number, steps: number) => ({
	input_tokens: 10 * model_calls,
	output_tokens: 5 * model_calls,
	model_calls,
	steps,
});

describe("what was done so far", () => {
	const script: Script = {
		desk: [calls(["a", "1"]), calls(["b", "note"])],
		a: ["One.", "Two."],
		b: [calls(["a", "2"]), "The end."],
		c: ["Fact."],
	};

	it.each([
		// The desk is a step, c with its turn two, and each turn one.
		["max_steps", 1, { maxSteps: 1 }, [], usageOf(0, 1)],
		["max_steps", 2, { maxSteps: 2 }, [], usageOf(0, 2)],
		["max_steps", 4, { maxSteps: 4 }, ["c", "desk"], usageOf(2, 4)],
		["max_steps", 7, { maxSteps: 7 }, ["c", "desk", "a", "desk"], usageOf(4, 7)],
		["max_steps", 10, { maxSteps: 10 }, ["c", "desk", "a", "desk", "b"], usageOf(5, 10)],
		["max_tokens", 60, { maxTokens: 60 }, ["c"], usageOf(1, 3)],
		["max_tokens", 150, { maxTokens: 150 }, ["c", "desk", "a"], usageOf(3, 6)],
	] as const)("is whole at %s of %s", async (code, _, limits, nodes, usage) => {
		const { result, events } = await runScripted(graphOf(NESTED, limits), { script });
		expect([result.status, result.error?.code, result.output]).toEqual(["failed", code, null]);
		expect(result.receipt.map(({ node }) => node)).toEqual(nodes);
		expect(result.usage).toEqual(usage);
		expectClosed(events, code);
	});

	/** The last turn of `b` says two of three words, and never ends. */
	async function interrupt(stop: (host: ReturnType<typeof manualHost>, own: AbortController) => void) {
		const host = manualHost();
		const own = new AbortController();
		let turns = 0;
		const { model } = streamingModel(script, () => {
			turns += 1;
			stop(host, own);
		});
		const run = await runScripted(graphOf(NESTED, { timeoutMs: 1000 }), {
			host,
			signal: own.signal,
			ports: { models: { resolve: () => ({ model, payer: "workspace", reason: "" }) } },
		});
		expect(turns).toBe(1);
		return run;
	}

	it.each([
		["a timeout", "failed", "timeout", (host: { advance(ms: number): void }) => host.advance(1000)],
		["a cancellation", "cancelled", "cancelled", (_: unknown, own: AbortController) => own.abort()],
	] as const)(
		"is the answer so far at %s, with the open call as an estimate",
		async (_, status, code, stop) => {
			const { result, events } = await interrupt(stop);
			expect([result.status, result.output]).toEqual([status, "The answer "]);
			expect(result.receipt.map(({ node, estimated = false }) => [node, estimated])).toEqual([
				...["c", "desk", "a", "desk", "b", "a"].map((node) => [node, false]),
				["b", true],
			]);
			expect(result.usage).toMatchObject({ model_calls: 7, steps: 12 });
			expectClosed(events, code);
		},
	);
});

/** Whoever was still open fails with the reason of the run's end, the innermost first. */
function expectClosed(events: readonly RunEvent[], code: string): void {
	const open: number[] = [];
	const closed: number[] = [];
	for (const event of events) {
		if (event.type === "node.started") open.push(event.invocation);
		if (event.type === "node.completed") open.splice(open.indexOf(event.invocation), 1);
		if (event.type !== "node.failed") continue;
		expect(event.error.code).toBe(code);
		closed.push(event.invocation);
	}
	expect(closed).toEqual(open.reverse());
}

/** As scripted, but the second turn of `b` says two words and then hangs. */
function streamingModel(script: Script, onHang: () => void) {
	const scripted = scriptedModel(script);
	let turns = 0;
	const model: ChatModel = {
		...scripted,
		async *stream(request, options): AsyncGenerator<ChatEvent> {
			if (request.origin?.node === "b") turns += 1;
			if (request.origin?.node !== "b" || turns < 2) return yield* scripted.stream(request, options);
			yield { type: "text.delta", text: "The " };
			yield { type: "text.delta", text: "answer " };
			onHang();
			await new Promise(() => undefined);
		},
	};
	return { model };
}
