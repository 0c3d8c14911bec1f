/** Numbers of runs in progress on other instances. */
export interface RunCounts {
	readonly all: number;
	/** Number without those that wait for their turn in a thread. */
	readonly started: number;
}

/** Runs in progress on other instances, by who started them. */
export type RunsElsewhere = ReadonlyMap<string, RunCounts>;
