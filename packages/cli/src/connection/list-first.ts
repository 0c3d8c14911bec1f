import type { PaginatedList } from "@stemma/client";

/** The first items of a list, so many at the most. */
export async function listFirst<Item>(listing: PaginatedList<Item>, max: number): Promise<Item[]> {
	const items: Item[] = [];
	for await (const item of listing) {
		items.push(item);
		if (items.length >= max) break;
	}
	return items;
}
