// Program of a test: continues a durable run to its end, then starts the next one and kills itself at a point of that one. It runs
// on what was built.
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { DBOS } from "@dbos-inc/dbos-sdk";
import { createDurableAgent } from "@stemma/dbos";
import { crashGraph, createCrashPorts } from "./crash-graph.ts";

const { DATABASE_URL = "", CALLS_FOLDER = "", RUN_ID = "", NEXT_RUN_ID = "", KILL_AT = "0" } = process.env;
let runId = RUN_ID;
let points = 0;

/** Place at which the process may be killed: calls begin there, have been made, or are stored. */
function passPoint(): void {
	points += 1;
	if (runId !== NEXT_RUN_ID || points !== Number(KILL_AT)) return;
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
	appendFileSync(join(CALLS_FOLDER, runId), `${node}\n`);
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
const runToEnd = async () => (await agent.start({ runId, input: "Refund A1, please." })).result();
const result = await runToEnd();
console.log(`RESULT ${JSON.stringify({ points, result })}`);
if (NEXT_RUN_ID !== "") {
	runId = NEXT_RUN_ID;
	points = 0;
	await runToEnd();
}
await DBOS.shutdown();
