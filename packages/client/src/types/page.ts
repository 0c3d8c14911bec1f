/** One page of a list: oldest first, but runs newest first. */
export interface Page<Item> {
	readonly data: readonly Item[];
	readonly has_more: boolean;
	/** To pass as `after` for the next page; `null` on the last. */
	readonly next: string | null;
}

/** Which part of a list. */
export interface PageOptions {
	/** 1 to 100; default 20. */
	readonly limit?: number;
	/** `next` of the page before. */
	readonly after?: string;
}

/** What remains of something that was deleted. */
export interface Deleted {
	readonly id: string;
	readonly deleted: true;
}
