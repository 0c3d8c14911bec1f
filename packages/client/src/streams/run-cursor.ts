/** Position in a run: which one it is, and how far its events were read. */
export interface RunCursor {
	readonly run_id: string | undefined;
	/** Lets a client key rejoin and cancel the run. */
	readonly run_token: string | undefined;
	/** The highest that was read. */
	readonly seq: number;
	/** Request id of the answer that began the run. */
	readonly requestId: string;
}

/** Paths are made of it. */
export const isRunId = (value: unknown): value is string => typeof value === "string" && /[^.]/.test(value);
