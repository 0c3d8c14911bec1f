/** Retention of a workspace's data; a limit that is left out does not apply. */
export interface Retention {
	/** Number of runs, and of responses; the oldest that have ended go first. */
	readonly runs: number;
	/** Days after the end of a run, or the start of a response. */
	readonly runDays?: number;
	/** Number of receipts; the oldest go first. */
	readonly receipts: number;
	readonly receiptDays?: number;
	/** Days after the last change of a thread. */
	readonly threadDays?: number;
	/** Days that the sums of each day are kept. */
	readonly usageDays?: number;
	readonly auditDays?: number;
	/** Number of ratings, and as many answers that can be rated; the oldest go first. */
	readonly feedback: number;
	/** Days after feedback was sent, and after an answer was stored. */
	readonly feedbackDays?: number;
}

export interface SweepRetentionInput {
	readonly retention: Retention;
	/** Epoch milliseconds. */
	readonly now: number;
}

/** Numbers of documents and runs of a workspace. */
export interface StoredCounts {
	readonly documents: number;
	readonly runs: number;
}

/** Size of what one workspace stores, and its retention. */
export interface StorageRepository {
	/** Bytes that the workspace uses; what was deleted counts no more. */
	readBytes(): Promise<number>;
	readCounts(): Promise<StoredCounts>;
	/**
	 * Deletes some of the ended runs, the feedback and the answers of a user. Receipts stay.
	 *
	 * @returns whether there may be more.
	 */
	eraseUser(userId: string): Promise<boolean>;
	/**
	 * Deletes some of what is kept no longer. A run stays as long as it has not ended, or somebody is still to be notified
	 * of its end.
	 *
	 * @returns whether there may be more.
	 */
	sweep(input: SweepRetentionInput): Promise<boolean>;
}
