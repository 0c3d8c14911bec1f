import type { PageOptions } from "@stemma/client";
import { useState } from "react";
import { type ListPage, PAGE_SIZE } from "./use-list";
import { type Resource, useResource } from "./use-resource";

/** List of the service of which one page is shown at a time, so that a long one stays fast. */
export interface PagedList<Item> extends Resource<ListPage<Item>> {
	/** Place of the page, from 1. */
	readonly page: number;
	readonly showNext: () => void;
	readonly showPrevious: () => void;
}

/**
 * Reads one page of a list.
 *
 * @param key - names what is read; the list of another key begins with its first page.
 */
export function usePagedList<Item>(
	key: string,
	read: (page: PageOptions, signal: AbortSignal) => PromiseLike<ListPage<Item>>,
): PagedList<Item> {
	/** Cursors of the pages after the first one, up to the page that is shown. */
	const [turned, setTurned] = useState<{ readonly key: string; readonly cursors: readonly string[] }>({
		key,
		cursors: [],
	});
	const cursors = turned.key === key ? turned.cursors : [];
	const after = cursors.at(-1);
	const resource = useResource(`${key} ${after ?? ""}`, (signal) =>
		read({ limit: PAGE_SIZE, ...(after !== undefined && { after }) }, signal),
	);
	const next = resource.value?.next;
	return {
		...resource,
		page: cursors.length + 1,
		showNext: () => next && setTurned({ key, cursors: [...cursors, next] }),
		showPrevious: () => setTurned({ key, cursors: cursors.slice(0, -1) }),
	};
}
