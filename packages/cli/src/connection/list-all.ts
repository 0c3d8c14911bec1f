import type { PaginatedList } from "@stemma/client";

/** All items of a list, over its pages. */
export async function listAll<Item>(listing: PaginatedList<Item>): Promise<Item[]> {
	const items: Item[] = [];
	for await (const item of listing) items.push(item);
	return items;
}

/** Page size for lists: the most that a page may have, for fewer requests. */
export const FULL_PAGES = { limit: 100 } as const;
