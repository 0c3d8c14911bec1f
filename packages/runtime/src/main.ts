#!/usr/bin/env node
import { createStopSignal } from "@stemma/protocol";
import { runRuntimeCommand } from "./command/run-runtime-command";

/** Program `stemma-runtime`. */
// Without a listener Node opens its inspector, to which whoever reaches its port gives orders.
process.on("SIGUSR1", () => undefined);

const { stdout, stderr, env } = process;
const exitCode = await runRuntimeCommand(process.argv.slice(2), {
	stdout,
	stderr,
	env,
	signal: createStopSignal(),
});
process.exitCode = exitCode;
// A request that still waits for a service that hangs keeps no process.
setTimeout(() => process.exit(exitCode), 1_000).unref();
