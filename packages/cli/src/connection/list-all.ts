import type { Listing } from "@stemma/client";

/** All items of a list, over its pages. */
export async function listAll<Item>(listing: Listing<Item>): Promise<Item[]> {
	const items: Item[] = [];
	for await (const item of listing) items.push(item);
	return items;
}

/** As many as a page may have: fewer requests. */
export const WHOLE_PAGES = { limit: 100 } as const;
