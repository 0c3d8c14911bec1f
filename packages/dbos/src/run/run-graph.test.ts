import { describeReferenceRuns } from "@stemma/engine/test-support/reference-runs";
import { checkScenario, SCENARIOS } from "@stemma/engine/test-support/scenarios";
import fc from "fast-check";
import { describe, it } from "vitest";
import { runInMemory } from "../test-support/run-in-memory";

/** How long each access to the journal takes, in turns of the event loop. */
const createDelays = (): Iterator<number> => fc.sample(fc.infiniteStream(fc.nat(3)), 1)[0] ?? [].values();

describe("over a journal, a run is that of the engine, and the same when it is read again", () => {
	it.each(Object.entries(SCENARIOS))("%s", (_, scenario) =>
		checkScenario(scenario, runInMemory(), { isOrdered: false }),
	);

	describeReferenceRuns(runInMemory(createDelays), 30);
});
