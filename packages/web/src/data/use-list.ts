import type { PageOptions } from "@stemma/client";
import { useState } from "react";
import { type Resource, useResource } from "./use-resource";

/** Part of a list, as `PaginatedList` gives it. */
export interface ListPage<Item> {
	readonly data: readonly Item[];
	readonly has_more: boolean;
	readonly next: string | null;
}

/** List of the service that grows by a page at a time. */
export interface ListResource<Item> extends Resource<ListPage<Item>> {
	/** Reads one page more. */
	readonly showMore: () => void;
}

/** Items of a page. */
export const PAGE_SIZE = 100;

type ReadPage<Item> = (page: PageOptions, signal: AbortSignal) => PromiseLike<ListPage<Item>>;

/**
 * Reads a list page by page.
 *
 * @param key - names what is read; the list of another key begins with its first page.
 */
export function useList<Item>(key: string, read: ReadPage<Item>): ListResource<Item> {
	const [grown, setGrown] = useState({ key, pages: 1 });
	const pages = grown.key === key ? grown.pages : 1;
	const resource = useResource(key, (signal) => readPages(read, pages, signal), pages);
	return { ...resource, showMore: () => setGrown({ key, pages: pages + 1 }) };
}

/** Reads all items of a list, at most so many pages of it. */
export async function readPages<Item>(
	read: ReadPage<Item>,
	count: number,
	signal: AbortSignal,
): Promise<ListPage<Item>> {
	let page = await read({ limit: PAGE_SIZE }, signal);
	const data = [...page.data];
	for (let index = 1; index < count && page.next !== null; index += 1) {
		page = await read({ limit: PAGE_SIZE, after: page.next }, signal);
		data.push(...page.data);
	}
	return { ...page, data };
}
