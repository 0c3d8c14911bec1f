import type { StemmaClient } from "../client";
import { createInvalidResponseError } from "../errors/invalid-response";
import type { CallOptions, WithRequestId } from "../options/call-options";
import type { Page, PageOptions } from "../types/page";

/**
 * A list: `await` gives one page, `for await` gives every item, page after page. Nothing is sent before one of them, and
 * each sends anew. An aborted signal ends it at the next page.
 */
export interface PaginatedList<Item> extends PromiseLike<WithRequestId<Page<Item>>>, AsyncIterable<Item> {}

/** @param given - with what else the list is filtered by. */
export function createPaginatedList<Item>(
	client: StemmaClient,
	path: string,
	given: PageOptions = {},
	options?: CallOptions,
): PaginatedList<Item> {
	const query = { ...given };

	async function readPage(after = query.after): Promise<WithRequestId<Page<Item>>> {
		const request = { method: "GET", path, query: { ...query, after }, options } as const;
		const page = await client.request<Page<Item>>(request);
		const { data, has_more, next, requestId } = page;
		// A page that leads to itself would never end.
		if (Array.isArray(data) && !(has_more && next === after)) return page;
		throw createInvalidResponseError("The response is not the next page of the list.", requestId);
	}

	async function* readAll(): AsyncGenerator<Item> {
		let page = await readPage();
		yield* page.data;
		while (page.has_more && page.next !== null) {
			page = await readPage(page.next);
			yield* page.data;
		}
	}

	return {
		// biome-ignore lint/suspicious/noThenProperty: a list is awaited for a page.
		then: (onPage, onError) => readPage().then(onPage, onError),
		[Symbol.asyncIterator]: readAll,
	};
}
