import { describeReferenceRuns } from "@stemma/engine/test-support/reference-runs";
import { checkScenario, SCENARIOS } from "@stemma/engine/test-support/scenarios";
import fc from "fast-check";
import { describe, it } from "vitest";
import { runInMemory } from "../test-support/run-in-memory";

const delays = (): Iterator<number> => fc.sample(fc.infiniteStream(fc.nat(3)), 1)[0] ?? [].values();

describe("over a journal, a run is that of the engine", () => {
	it.each(Object.entries(SCENARIOS))("%s", (_, scenario) =>
		checkScenario(scenario, runInMemory(), { isOrdered: false }),
	);

	describeReferenceRuns((graph, options) => runInMemory({ delays: delays() })(graph, options), 30);
});
