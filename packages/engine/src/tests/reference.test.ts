import { describeReferenceRuns } from "../test-support/reference-runs";
import { runScripted } from "../test-support/scripted";

/** How many graphs of each kind; more where the environment says so. */
describeReferenceRuns(runScripted, Number(process.env.STEMMA_ENGINE_GRAPHS ?? 120));
