#!/usr/bin/env node
import { returnMemory } from "./command/return-memory";
import { runRuntimeCommand } from "./command/run-runtime-command";
import { createStopSignal } from "./command/stop-signal";

const STARTED_MS = 2_000;

const { stdout, stderr, env } = process;
setTimeout(returnMemory, STARTED_MS).unref();
process.exitCode = await runRuntimeCommand(process.argv.slice(2), {
	stdout,
	stderr,
	env,
	signal: createStopSignal(),
});
