// 1, 2 and 4 instances of the service on one Postgres, each with a quarter of a processor: runs, searches, events seen on another instance, and the work of each. [--quick] [--save: for tools/capacity] [--root=<a built clone>]
import { writeFileSync } from "node:fs";
import { measureCommits } from "./scale/commit-times.mjs";
import { createInstances } from "./scale/instances.mjs";
import { toInstancesTable, toServerTable } from "./scale/instances-tables.mjs";
import { describeMachine } from "./scale/machine.mjs";
import { measurePassages, measureStreamMemory } from "./scale/measure-first-instance.mjs";
import {
	CHUNKS_OF_TICKER,
	CLIENTS_OF_INSTANCE,
	measureEvents,
	measureIdle,
	measureQuestions,
	measureRuns,
	measureSearches,
} from "./scale/measure-instances.mjs";
import { startPostgres } from "./scale/postgres.mjs";
import { createWorkspaces } from "./scale/workspaces.mjs";
import { startVendor } from "./service/start-vendor.mjs";

const root = process.argv.find((argument) => argument.startsWith("--root="))?.slice("--root=".length);
const IS_QUICK = process.argv.includes("--quick");
const COUNTS = [1, 2, 4];
/** Share of a processor of each instance: four, Postgres, the vendor's stand-in and the clients fit on two. */
const CORES = 0.25;
const WORKSPACES = 8;
/** Models of the agents, by slug. */
const MODELS = {
	desk: "chunks-10",
	ticker: `chunks-${CHUNKS_OF_TICKER}-every-50`,
	silent: "chunks-2-every-60000",
};
const SECONDS = IS_QUICK ? 4 : 10;
const DATABASE = "instances";
const SAVED = new URL("../capacity/measured.json", import.meta.url);

async function measureCount(cluster, count) {
	await cluster.instances.grow(count);
	await measureRuns(cluster, 2);
	return {
		instances: count,
		idle: await measureIdle(cluster, SECONDS / 2),
		runs: await measureRuns(cluster, SECONDS),
		runsOfOneWorkspace: await measureRuns({ ...cluster, tokens: cluster.tokens.slice(0, 1) }, SECONDS / 2),
		searches: await measureSearches(cluster, SECONDS),
		questions: await measureQuestions(cluster, SECONDS),
		events: await measureEvents(cluster, SECONDS),
	};
}

/** JSON as the formatter leaves it: numbers of a list in one line. */
const toFileText = (value) =>
	`${JSON.stringify(value, null, "\t").replace(/\[[^[\]{}]*\]/g, (list) => list.replace(/\s+/g, " ").replace(/\[ | \]/g, (end) => end.trim()))}\n`;

const vendor = await startVendor();
const postgres = await startPostgres();
const instances = createInstances(
	{
		database: await postgres.createDatabase(DATABASE),
		providers: {
			bench: {
				provider: "openai-compatible",
				base_url: vendor.baseUrl,
				default_model: MODELS.desk,
				allowed_models: Object.values(MODELS),
			},
		},
		chat: "bench",
		outbound: { allow: ["127.0.0.1"] },
	},
	{ cores: CORES, root },
);
try {
	const commits = await measureCommits((await postgres.createDatabase("commits")).owner_url, SECONDS / 4);
	await instances.start();
	const [first] = instances.all;
	const tokens = await createWorkspaces(first, WORKSPACES, MODELS);
	const cluster = { instances, postgres, tokens };
	// First: memory that was used before would be used again.
	const streamBytes = await measureStreamMemory(cluster);
	const emptyBytes = await postgres.size(DATABASE);
	const { queries, ...passages } = await measurePassages(cluster);
	const databaseBytes = (await postgres.size(DATABASE)) - emptyBytes;
	const deployments = [];
	for (const count of COUNTS) deployments.push(await measureCount({ ...cluster, queries }, count));
	const measured = {
		...describeMachine(),
		coresOfInstance: instances.isLimited ? CORES : null,
		clientsOfInstance: CLIENTS_OF_INSTANCE,
		commits,
		passages,
		databaseBytesOfPassage: databaseBytes / passages.count,
		streamBytes,
		deployments,
	};
	if (process.argv.includes("--save")) writeFileSync(SAVED, toFileText(measured));
	const share = instances.isLimited
		? `with ${CORES} of a processor`
		: "without a limit (this needs control groups of Linux): compare processor time and statements, not rates";
	console.log(`${measured.machine}; Node ${process.versions.node}. Each instance ${share}; Postgres on the same machine and disk, with fsync.

${toInstancesTable(deployments)}

${toServerTable(measured)}
`);
} finally {
	await instances.stop();
	await vendor.stop();
	await postgres.stop();
}
