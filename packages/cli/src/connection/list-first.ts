import type { Listing } from "@stemma/client";

/** The first items of a list, so many at the most. */
export async function listFirst<Item>(listing: Listing<Item>, most: number): Promise<Item[]> {
	const items: Item[] = [];
	for await (const item of listing) {
		items.push(item);
		if (items.length >= most) break;
	}
	return items;
}
