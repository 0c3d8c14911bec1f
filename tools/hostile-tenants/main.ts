// node tools/hostile-tenants/main.ts: one honest and one hostile tenant on a built service with 1 GiB. See README.md.
import { SERVICE_ATTACKS } from "./attacks/index.ts";
import { runCommand } from "./command.ts";
import { FULL_BOUNDS } from "./measure/bounds.ts";
import { performServiceTrial } from "./service-under-attack.ts";

await runCommand(SERVICE_ATTACKS, FULL_BOUNDS, performServiceTrial);
