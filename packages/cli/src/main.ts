#!/usr/bin/env node
import { runCommandLine } from "./program";
import { processTerminal } from "./terminal/terminal";

// Whoever reads our output may stop reading (`| head`); that is no error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
	if (error.code === "EPIPE") process.exit(0);
	process.stderr.write(`error: The output cannot be written: ${error.message}\n`);
	process.exit(1);
});

process.exitCode = await runCommandLine(processTerminal, process.argv.slice(2));
