/** Requests of one sender in one minute. */
export interface MinuteCount {
	/** Name of the sender and of the kind of its requests. */
	readonly key: string;
	/** Minutes since 1970. */
	readonly minute: number;
	readonly count: number;
}

/** Counts that instances share: each adds its own, and learns what all have counted. */
export interface SharedCounts {
	/**
	 * Adds counts. Returns the totals of all instances for the same keys: of the minutes that were added to, and of those
	 * before them, where there are some.
	 */
	add(counts: readonly MinuteCount[]): Promise<readonly MinuteCount[]>;
}
