import type { WithRequestId } from "../options/call-options";
import { createInvalidResponseError } from "./a2a-error";
import type { A2aTask, A2aTaskList } from "./wire";

/**
 * A list of tasks: `await` gives one page, `for await` gives every task, page after page. Nothing is sent before one of them,
 * and each sends anew. An aborted signal ends it at the next page.
 */
export interface A2aPaginatedTaskList
	extends PromiseLike<WithRequestId<A2aTaskList>>,
		AsyncIterable<A2aTask> {}

/** @param readPage - the first page, or that of a token. */
export function createPaginatedTaskList(
	readPage: (pageToken?: string) => Promise<WithRequestId<A2aTaskList>>,
): A2aPaginatedTaskList {
	return {
		// biome-ignore lint/suspicious/noThenProperty: a list is awaited for a page.
		then: (onPage, onError) => readPage().then(onPage, onError),
		async *[Symbol.asyncIterator]() {
			const seen = new Set<string>();
			for (let token: string | undefined; token !== ""; ) {
				const { tasks, nextPageToken, requestId } = await readPage(token);
				yield* tasks;
				token = nextPageToken;
				// Pages that go in a circle would never end.
				if (seen.has(token)) throw createInvalidResponseError("is not the next page of a list", requestId);
				seen.add(token);
			}
		},
	};
}
