// node tools/hostile-tenants/runtime-main.ts: one honest and one hostile caller of a built runtime with 1 GiB. See README.md.
import { RUNTIME_ATTACKS } from "./attacks/runtime.ts";
import { runCommand } from "./command.ts";
import { FULL_BOUNDS } from "./measure/bounds.ts";
import { performRuntimeTrial } from "./runtime-under-attack.ts";

await runCommand(RUNTIME_ATTACKS, FULL_BOUNDS, performRuntimeTrial);
