import type { RunEvent, RunResult } from "@stemma/core";
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

const definition = toDefinition(crashGraph, { input: "Refund A1, please." });

function createRun() {
	const storage = createStorage();
	const calls = new Map<string, number>();
	return {
		storage,
		calls,
		async execute(options: MemoryJournalOptions = {}): Promise<RunResult> {
			const events: RunEvent[] = [];
			const result = await runGraph({
				runId: "run_1",
				definition,
				ports: createCrashPorts((node) => calls.set(node, (calls.get(node) ?? 0) + 1)),
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

/** Number of writes of a run that nobody kills. */
async function countWrites(): Promise<number> {
	const { storage, execute } = createRun();
	await execute();
	return storage.writes;
}

describe("a run whose process is killed", () => {
	it.each([
		["before a write", false],
		["after a write", true],
	])("%s ends, and calls no tool twice: at every write", async (_, isStored) => {
		const whole = await createRun().execute();
		const writes = await countWrites();
		expect(whole.status).toBe("completed");
		expect(writes).toBeGreaterThan(10);
		for (let at = 1; at <= writes; at += 1) {
			const { calls, execute } = createRun();
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

it("a model that was resolved anew after a restart, and is another, is on the receipt", async () => {
	const { storage, execute } = createRun();
	await expect(execute({ kill: { at: 7, isStored: true } })).rejects.toSatisfy(isKilled);
	const ports = createCrashPorts(() => undefined);
	const result = await runGraph({
		runId: "run_1",
		definition,
		ports: {
			...ports,
			models: {
				async resolve(request, options) {
					const { model } = await ports.models.resolve(request, options);
					const renamed = { ...model, model: "other" };
					return { model: renamed, payer: "deployment", reason: "The settings have changed." };
				},
			},
		},
		journal: createMemoryJournal(storage),
		onEvent: () => undefined,
	});
	expect(result.receipt.map(({ model, payer }) => [model, payer])).toEqual([
		["other", "deployment"],
		["other", "deployment"],
	]);
});
