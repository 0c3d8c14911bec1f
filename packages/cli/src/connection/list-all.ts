import type { PaginatedList } from "@stemma/client";

/** Items of a list, over its pages: all, or the first `max`. */
export async function listAll<Item>(
	listing: PaginatedList<Item>,
	max = Number.POSITIVE_INFINITY,
): Promise<Item[]> {
	const items: Item[] = [];
	for await (const item of listing) {
		items.push(item);
		if (items.length >= max) break;
	}
	return items;
}

const MAX_PAGE_SIZE = 100;

/** Page size for lists: the most that a page may have, for fewer requests. */
export const FULL_PAGES = { limit: MAX_PAGE_SIZE } as const;

/** Page size for the first items of a list. */
export const toPageSize = (max: number): number => Math.min(max, MAX_PAGE_SIZE);
