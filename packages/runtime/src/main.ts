#!/usr/bin/env node
import { runRuntimeCommand } from "./command/run-runtime-command";
import { createStopSignal } from "./command/stop-signal";

const { stdout, stderr, env } = process;
process.exitCode = await runRuntimeCommand(process.argv.slice(2), {
	stdout,
	stderr,
	env,
	signal: createStopSignal(),
});
