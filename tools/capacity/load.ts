import type { Kind } from "./costs.ts";

/** What clients of a deployment ask for. */
export interface Load {
	readonly workspaces: number;
	/** Share of the runs and questions that are of the busiest workspace. */
	readonly busiestShare: number;
	readonly documentsPerDay: number;
	readonly passagesPerDocument: number;
	readonly searchesPerSecond: number;
	readonly questionsPerSecond: number;
	readonly runsPerSecond: number;
	/** Events of a run that are stored one by one: pieces of text that a model streams. */
	readonly eventsPerRun: number;
	/** Time in seconds that a run takes: a stream is open so long. */
	readonly secondsPerRun: number;
	/** Streams of a run on other instances, on average. The one of the request that starts it is on the instance of the run. */
	readonly watchersElsewhere: number;
}

/** Machines and settings that a load is served by. */
export interface Deployment {
	readonly instances: number;
	/** Processors of an instance: its main thread takes one. */
	readonly coresOfInstance: number;
	/** Memory of an instance for streams, in bytes. */
	readonly streamMemory: number;
	readonly postgresCores: number;
	/** `max_connections` */
	readonly maxConnections: number;
	/** `database.pool_size` */
	readonly poolSize: number;
	/** Bytes of WAL a second that the disk, replicas and backups take. */
	readonly walBytesPerSecond: number;
}

/** Rate of each kind in a second. */
export type Rates = Readonly<Record<Kind, number>>;

const SECONDS_A_DAY = 86_400;

export const toRates = (load: Load): Rates => ({
	passages: (load.documentsPerDay * load.passagesPerDocument) / SECONDS_A_DAY,
	searches: load.searchesPerSecond,
	questions: load.questionsPerSecond,
	runs: load.runsPerSecond,
	events: load.runsPerSecond * load.eventsPerRun,
});

/** The same mix, so many times as much. */
export const multiply = (load: Load, factor: number): Load => ({
	...load,
	documentsPerDay: load.documentsPerDay * factor,
	searchesPerSecond: load.searchesPerSecond * factor,
	questionsPerSecond: load.questionsPerSecond * factor,
	runsPerSecond: load.runsPerSecond * factor,
});
