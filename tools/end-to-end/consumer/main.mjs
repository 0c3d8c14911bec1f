import * as client from "@stemma/client";
import * as local from "@stemma/local";
import { runAllSteps } from "./all-steps.mjs";
import { report } from "./report.mjs";

await report(runAllSteps, { client, local });
