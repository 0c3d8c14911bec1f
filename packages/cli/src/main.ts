#!/usr/bin/env node
import { limitStartupMemory } from "@stemma/protocol";
import { explainOutdatedNode } from "./outdated-node";

/** Program `stemma`. */
// Without a listener Node opens its inspector, to which whoever reaches its port gives orders.
process.on("SIGUSR1", () => undefined);

// Whoever reads our output may stop reading (`| head`); that is no error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
	if (error.code === "EPIPE") process.exit(0);
	process.stderr.write(`error: The output cannot be written: ${error.message}\n`);
	process.exit(1);
});

const outdated = explainOutdatedNode(process.versions.node);
if (outdated === undefined) {
	const allowGrowth = limitStartupMemory();
	// Loaded only now: an old Node lacks what it imports, and would say that instead. It throws nothing.
	void import("./program").then(async ({ runCommandLine }) => {
		allowGrowth();
		process.exitCode = await runCommandLine(process, process.argv.slice(2));
	});
} else {
	process.stderr.write(`${outdated}\n`);
	process.exitCode = 1;
}
