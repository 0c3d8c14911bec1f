import { it } from "vitest";
import { checkScenario, SCENARIOS } from "../test-support/scenarios";
import { runScripted } from "../test-support/scripted";

it.each(Object.entries(SCENARIOS))("%s", (_, scenario) => checkScenario(scenario, runScripted));
