/** Name of a job that is done from time to time. */
export type PeriodicJobName = "expiry" | "retention";

/** Jobs that are done from time to time, by one instance at a time. */
export interface PeriodicJobs {
	/**
	 * Runs a job, unless another instance is at it or has begun it less than a time ago. Where an instance ends before the job
	 * has, the next one that calls runs it. A job must be harmless twice: an instance whose lease is over may still be at it.
	 *
	 * @param everyMs - time in milliseconds between two starts.
	 */
	run(name: PeriodicJobName, everyMs: number, work: () => Promise<void>): Promise<void>;
}

/** Jobs of a store of one process: each is run whenever it is called. */
export const ownPeriodicJobs: PeriodicJobs = { run: (_name, _everyMs, work) => work() };
