/** One page of a list: oldest first, but runs newest first. */
export interface Page<Item> {
	readonly data: readonly Item[];
	readonly has_more: boolean;
	/** Cursor to pass as `after` for the next page; `null` on the last. */
	readonly next: string | null;
}

/** Options that select one page of a list. */
export interface PageOptions {
	/** 1 to 100; default 20. */
	readonly limit?: number;
	/** `next` of the page before. */
	readonly after?: string;
}

/** Record of something that was deleted. */
export interface Deleted {
	readonly id: string;
	readonly deleted: true;
}
