import type { AgentGraph, ChatModel, ChatRequest, RunEvent, RunResult } from "@stemma/core";
import type { EnginePorts, ResolvedModel } from "@stemma/engine";
import { checkRun } from "@stemma/engine/test-support/check-run";
import { describe, expect, it } from "vitest";
import { crashGraph, createCrashPorts } from "../test-support/crash-graph";
import {
	createMemoryJournal,
	createStorage,
	Killed,
	type MemoryJournalOptions,
} from "../test-support/memory-journal";
import { toDefinition } from "../test-support/run-in-memory";
import { InterruptedRun, runGraph } from "./run-graph";

/** The graph with an approval for its tools that are not idempotent. */
const approvalGraph: AgentGraph = {
	...crashGraph,
	nodes: crashGraph.nodes.map((node) => (node.id === "pay" ? { ...node, approval: true } : node)),
};

function createRun(graph: AgentGraph = crashGraph) {
	const definition = toDefinition(graph, { input: "Refund A1, please." });
	const storage = createStorage();
	storage.messages.push(DECISIONS);
	const calls = new Map<string, number>();
	return {
		storage,
		calls,
		async execute(
			options: MemoryJournalOptions = {},
			change = (ports: EnginePorts): EnginePorts => ports,
		): Promise<RunResult> {
			const events: RunEvent[] = [];
			const result = await runGraph({
				runId: "run_1",
				definition,
				ports: change(createCrashPorts((node) => calls.set(node, (calls.get(node) ?? 0) + 1))),
				journal: createMemoryJournal(storage, options),
				onEvent: (event) => events.push(event),
			});
			checkRun(events, result);
			return result;
		},
	};
}

/** Checks what an execution ended with. The first step is stored before the run begins. */
const isKilled = (error: unknown): boolean =>
	error instanceof Killed || (error instanceof InterruptedRun && error.cause instanceof Killed);

/** Decisions that a run receives: on the one approval that it asks for. */
const DECISIONS = [{ approval_id: "apr_3", decision: "approve" }] as const;

describe("a run whose process is killed", () => {
	it.each([
		["before a write", false, crashGraph],
		["after a write", true, crashGraph],
		["before a write, with an approval", false, approvalGraph],
		["after a write, with an approval", true, approvalGraph],
	])("%s ends, and calls no tool twice: at every write", async (_, isStored, graph) => {
		const unkilled = createRun(graph);
		const whole = await unkilled.execute();
		const { writes } = unkilled.storage;
		expect(unkilled.calls.get("pay")).toBe(1);
		expect(whole.status).toBe("completed");
		expect(writes).toBeGreaterThan(10);
		for (let at = 1; at <= writes; at += 1) {
			const { calls, execute } = createRun(graph);
			await expect(execute({ kill: { at, isStored } })).rejects.toSatisfy(isKilled);
			const result = await execute();
			expect([at, result.status]).toEqual([at, expect.stringMatching(/^(completed|failed)$/)]);
			for (const node of ["pay", "legal", "note"])
				expect([at, node, calls.get(node) ?? 0]).toEqual([at, node, expect.toBeOneOf([0, 1])]);
			if (result.status === "failed") expect(result.error?.code).toBe("outcome_unknown");
			else expect(result.output).toEqual(whole.output);
		}
	});
});

/** Ports whose model is another one, or tells what it is asked. */
function replaceModel(
	ports: EnginePorts,
	replace: (model: ChatModel) => Partial<ResolvedModel>,
): EnginePorts {
	const { models } = ports;
	return {
		...ports,
		models: {
			async resolve(request, options) {
				const resolved = await models.resolve(request, options);
				return { ...resolved, ...replace(resolved.model) };
			},
		},
	};
}

it("a model that was resolved anew after a restart, and is another, is on the receipt", async () => {
	const { execute } = createRun();
	await expect(execute({ kill: { at: 7, isStored: true } })).rejects.toSatisfy(isKilled);
	const result = await execute({}, (ports) =>
		replaceModel(ports, (model) => ({ model: { ...model, model: "other" }, payer: "deployment" })),
	);
	expect(result.receipt.map(({ model, payer }) => [model, payer])).toEqual([
		["other", "deployment"],
		["other", "deployment"],
	]);
});

it("what a model was told before a restart, it is told again to the letter", async () => {
	const { execute } = createRun();
	const asked: ChatRequest["messages"][] = [];
	const listen = (ports: EnginePorts): EnginePorts =>
		replaceModel(ports, (model) => ({
			model: {
				...model,
				stream(request, options) {
					asked.push([...request.messages]);
					return model.stream(request, options);
				},
			},
		}));
	await expect(execute({ kill: { at: 12, isStored: true } }, listen)).rejects.toSatisfy(isKilled);
	expect(asked).toHaveLength(1);
	await execute({}, listen);
	const [before = [], after = []] = asked;
	expect(before[0]?.content).toMatch(/data_\w{26}/);
	expect(after.slice(0, before.length)).toEqual(before);
});
