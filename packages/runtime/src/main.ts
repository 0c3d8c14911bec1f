#!/usr/bin/env node
import { constants } from "node:os";
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

/** Aborted by the first SIGTERM or SIGINT; the second ends the process at once, with the exit code of its kind. */
function createStopSignal(): AbortSignal {
	const controller = new AbortController();
	const stop = (signal: "SIGTERM" | "SIGINT"): void => {
		// As shells count it.
		if (controller.signal.aborted) process.exit(128 + constants.signals[signal]);
		controller.abort();
	};
	process.on("SIGTERM", stop);
	process.on("SIGINT", stop);
	return controller.signal;
}
