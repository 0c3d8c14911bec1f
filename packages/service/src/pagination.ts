import type { Page } from "@stemma/client";

/** Requested part of a list. */
export interface PageRequest {
	/** 1 to 100. */
	readonly limit: number;
	/** The last id of the page before. */
	readonly after?: string | undefined;
}

/**
 * A page of rows.
 *
 * @param rows - up to one more than `limit`: that one tells that there is another page.
 * @param cursorOf - what sorts the rows, as text: their id.
 */
export function paginate<Row>(
	rows: readonly Row[],
	limit: number,
	cursorOf: (row: Row) => string,
): Page<Row> {
	const data = rows.slice(0, limit);
	const last = data.at(-1);
	const hasMore = rows.length > limit;
	return { data, has_more: hasMore, next: hasMore && last !== undefined ? cursorOf(last) : null };
}
