import type { AgentGraph } from "@stemma/core";
import { describeReferenceRuns } from "@stemma/engine/test-support/reference-runs";
import { checkScenario, SCENARIOS } from "@stemma/engine/test-support/scenarios";
import { calls } from "@stemma/engine/test-support/scripted";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runInMemory } from "../test-support/run-in-memory";

/** How long each access to the journal takes, in turns of the event loop. */
const createDelays = (): Iterator<number> => fc.sample(fc.infiniteStream(fc.nat(3)), 1)[0] ?? [].values();

describe("over a journal, a run is that of the engine, and the same when it is read again", () => {
	it.each(Object.entries(SCENARIOS))("%s", (_, scenario) =>
		checkScenario(scenario, runInMemory(), { isOrdered: false }),
	);

	describeReferenceRuns(runInMemory(createDelays), 30);

	it("at its time limit", async () => {
		const graph: AgentGraph = {
			nodes: [
				{ id: "desk", kind: "coordinator" },
				{ id: "wait", kind: "tool", tool: "wait" },
			],
			edges: [{ from: "desk", to: "wait" }],
		};
		const { result } = await runInMemory()(graph, {
			limits: { timeoutMs: 50 },
			script: { desk: [calls(["wait", "x"])] },
			ports: {
				tools: {
					describe: async () => ({ parameters: { type: "object" } }),
					call: () => new Promise<never>(() => undefined),
				},
			},
		});
		expect(result).toMatchObject({ status: "failed", error: { code: "timeout" } });
	});
});
