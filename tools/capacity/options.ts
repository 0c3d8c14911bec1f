import { parseArgs } from "node:util";
import type { Deployment, Load } from "./load.ts";

const MEBIBYTE = 1024 ** 2;

/** Options that are numbers: default, and meaning. */
const NUMBERS = {
	workspaces: [100, "workspaces"],
	"busiest-share": [0.2, "share of the runs that are of the busiest workspace"],
	"documents-per-day": [10_000, "documents that are added or replaced in a day"],
	"passages-per-document": [20, "passages of a document"],
	"searches-per-second": [0, "searches without an answer"],
	"questions-per-second": [10, "questions that are answered from a knowledge base"],
	"runs-per-second": [2, "runs of agents, messages of threads included"],
	"events-per-run": [100, "pieces of text that a model streams in a run"],
	"seconds-per-run": [10, "time that a run takes"],
	"watchers-elsewhere": [0.1, "streams of a run on other instances than its own, on average"],
	instances: [2, "instances"],
	"instance-cores": [1, "processors of an instance; its main thread takes one"],
	"stream-megabytes": [512, "memory of an instance for open streams, in MiB"],
	"postgres-cores": [4, "processors of Postgres"],
	"max-connections": [200, "max_connections of Postgres"],
	"pool-size": [20, "database.pool_size of an instance"],
	"wal-megabytes-per-second": [50, "WAL that the disk, replicas and backups take in a second, in MiB"],
	"simulated-seconds": [20, "time to simulate; 0: no simulation"],
	seed: [1, "of the simulation"],
} as const satisfies Readonly<Record<string, readonly [number, string]>>;

type NumberName = keyof typeof NUMBERS;

/** What the command line asks for. */
export interface Options {
	readonly help: boolean;
	/** Compare the simulation with what was measured, and nothing else. */
	readonly compare: boolean;
	readonly load: Load;
	readonly deployment: Deployment;
	readonly simulatedSeconds: number;
	readonly seed: number;
}

/** @throws Error that names the option, for one that does not exist, or whose value is no number from 0. */
export function parseOptions(args: readonly string[]): Options {
	const { values } = parseArgs({
		args: [...args],
		options: {
			help: { type: "boolean", default: false },
			compare: { type: "boolean", default: false },
			...Object.fromEntries(Object.keys(NUMBERS).map((name) => [name, { type: "string" as const }])),
		},
	});
	const given: Readonly<Record<string, unknown>> = values;
	const read = (name: NumberName): number => toNumber(name, given[name] ?? NUMBERS[name][0]);
	return {
		help: values.help === true,
		compare: values.compare === true,
		load: {
			workspaces: read("workspaces"),
			busiestShare: Math.max(read("busiest-share"), 1 / Math.max(1, read("workspaces"))),
			documentsPerDay: read("documents-per-day"),
			passagesPerDocument: read("passages-per-document"),
			searchesPerSecond: read("searches-per-second"),
			questionsPerSecond: read("questions-per-second"),
			runsPerSecond: read("runs-per-second"),
			eventsPerRun: read("events-per-run"),
			secondsPerRun: read("seconds-per-run"),
			watchersElsewhere: read("watchers-elsewhere"),
		},
		deployment: {
			instances: Math.max(1, Math.round(read("instances"))),
			coresOfInstance: read("instance-cores"),
			streamMemory: read("stream-megabytes") * MEBIBYTE,
			postgresCores: read("postgres-cores"),
			maxConnections: read("max-connections"),
			poolSize: read("pool-size"),
			walBytesPerSecond: read("wal-megabytes-per-second") * MEBIBYTE,
		},
		simulatedSeconds: read("simulated-seconds"),
		seed: read("seed"),
	};
}

export function formatHelp(): string {
	const lines = Object.entries(NUMBERS).map(
		([name, [value, meaning]]) => `  --${name.padEnd(26)} ${meaning} (${value})`,
	);
	return `node tools/capacity/main.ts: which limit a deployment on Postgres meets first, from what was measured.

${lines.join("\n")}
  --compare                    the simulation beside the measurement of 1, 2 and 4 instances
  --help

Defaults are in brackets. Costs come from tools/capacity/measured.json, which \`npm run bench -- instances --save\` writes.`;
}

function toNumber(name: string, value: unknown): number {
	const number = Number(value);
	if (value === "" || !(number >= 0 && number < Number.POSITIVE_INFINITY))
		throw new Error(`--${name} must be a number from 0, not "${String(value)}".`);
	return number;
}
