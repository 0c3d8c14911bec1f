#!/usr/bin/env node
import { createStopSignal, limitStartupMemory } from "@stemma/protocol";

/** Program `stemma-runtime`. */
// Without a listener Node opens its inspector, to which whoever reaches its port gives orders.
process.on("SIGUSR1", () => undefined);

const onStarted = limitStartupMemory();
// Loaded only now, with that limit.
const { runRuntimeCommand } = await import("./command/run-runtime-command");
const { stdout, stderr, env } = process;
const exitCode = await runRuntimeCommand(process.argv.slice(2), {
	stdout,
	stderr,
	env,
	signal: createStopSignal(),
	onStarted,
});
process.exitCode = exitCode;
// A request that still waits for a service that hangs keeps no process.
setTimeout(() => process.exit(exitCode), 1_000).unref();
