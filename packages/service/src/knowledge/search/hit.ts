/** A passage that was found; whether a document shows it is another matter. */
export interface Hit {
	/** Number of the passage. */
	readonly number: number;
	/** Compares hits of one list. */
	readonly score: number;
}
