import { readFileSync } from "node:fs";

/** Work of all instances and of Postgres while something went on, in all; as `tools/bench/scale/measure-instances.mjs` measures it. */
export interface MeasuredWork {
	readonly seconds: number;
	/** Processor time in milliseconds of each instance, the first one first. */
	readonly cpuMs: readonly number[];
	readonly postgresCpuMs: number;
	readonly statements: number;
	/** Transactions that wrote. */
	readonly writes: number;
	/** Statements that notified other instances. */
	readonly notifications: number;
	/** Those within transactions that wrote, which wait for each other. */
	readonly notifyingWrites: number;
	readonly walBytes: number;
}

/** The same, with the number of things that were done. */
export interface CountedWork extends MeasuredWork {
	readonly count: number;
}

/** Work of clients that called again and again. Times in milliseconds. */
export interface RepeatedWork extends CountedWork {
	readonly p50: number;
	readonly p95: number;
}

/** What was measured with so many instances. */
export interface MeasuredDeployment {
	readonly instances: number;
	readonly idle: MeasuredWork;
	readonly runs: RepeatedWork;
	readonly runsOfOneWorkspace: RepeatedWork;
	readonly searches: RepeatedWork;
	readonly questions: RepeatedWork;
	/** Events of runs on the first instance, with a watcher on it and, where there are two instances, one on another. */
	readonly events: CountedWork;
}

/** Result of `npm run bench -- instances --save`. */
export interface Measured {
	readonly commit: string;
	readonly machine: string;
	readonly cores: number;
	/** Share of a processor of each instance; null where it was not limited. */
	readonly coresOfInstance: number | null;
	/** Clients of each instance, in work that was repeated. */
	readonly clientsOfInstance: number;
	/** Commits a second of Postgres, on 32 connections that do nothing else. */
	readonly commits: {
		readonly plain: number;
		/** Within the transaction. */
		readonly notifying: number;
		/** After it, on one connection. */
		readonly notifyingAfter: number;
	};
	readonly passages: CountedWork;
	/** Bytes of the database for each passage. */
	readonly databaseBytesOfPassage: number;
	/** Memory of an instance for each open stream. */
	readonly streamBytes: number;
	readonly deployments: readonly MeasuredDeployment[];
}

export const readMeasured = (): Measured =>
	JSON.parse(readFileSync(new URL("measured.json", import.meta.url), "utf8"));
