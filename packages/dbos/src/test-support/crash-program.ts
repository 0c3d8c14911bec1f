// Program of a test: starts a durable run, or continues it, and kills itself at a point of it. It runs on what was built.
import { appendFileSync } from "node:fs";
import { DBOS } from "@dbos-inc/dbos-sdk";
import { createDurableAgent } from "@stemma/dbos";
import { crashGraph, createCrashPorts } from "./crash-graph.ts";

const { DATABASE_URL = "", CALLS_FILE = "", RUN_ID = "", KILL_AT = "0" } = process.env;
let points = 0;

/** Place at which the process may be killed: calls begin there, have been made, or are stored. */
function passPoint(): void {
	points += 1;
	if (points !== Number(KILL_AT)) return;
	process.kill(process.pid, "SIGKILL");
	// The signal takes a moment.
	for (;;);
}

const { runStep } = DBOS;
DBOS.runStep = async (perform, config) => {
	const stored = await runStep.call(
		DBOS,
		async () => {
			const value = await perform();
			passPoint();
			return value;
		},
		config,
	);
	passPoint();
	return stored as Awaited<ReturnType<typeof perform>>;
};

const ports = createCrashPorts((node) => {
	appendFileSync(CALLS_FILE, `${node}\n`);
	passPoint();
});
const agent = createDurableAgent({ name: "crash", graph: crashGraph, ports });
DBOS.setConfig({
	name: "stemma-crash",
	systemDatabaseUrl: DATABASE_URL,
	applicationVersion: "test",
	logLevel: "error",
});
await DBOS.launch();
const run = await agent.start({ runId: RUN_ID, input: "Refund A1, please." });
const result = await run.result();
console.log(`RESULT ${JSON.stringify({ points, result })}`);
await DBOS.shutdown();
