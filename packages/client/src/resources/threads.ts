import type { StemmaClient } from "../client";
import { path } from "../http/path";
import type { CallOptions, WithRequestId } from "../options/call-options";
import type { Deleted, PageOptions } from "../types/page";
import type {
	CreatedThread,
	Thread,
	ThreadCreate,
	ThreadExport,
	ThreadMessageList,
	ThreadUpdate,
} from "../types/thread";
import { createPaginatedList, type PaginatedList } from "./paginated-list";
import { type ThreadCallOptions, withThreadToken } from "./thread-token";

/** Filter and page of a list of threads. */
export interface ThreadListOptions extends PageOptions {
	/** Text in the title or in a message, in any case. */
	readonly query?: string;
	/** Id of the client, client key or user that created them. */
	readonly owner?: string;
}

export interface ThreadMessagesOptions extends ThreadCallOptions {
	/** Id of the last message of a branch: that branch alone, from its first message on. Default: all messages. */
	readonly branch?: string | undefined;
	/** Messages of a page, 1 to 100. Default: all messages; with `after`, 20. */
	readonly limit?: number | undefined;
	/** `next` of the page before. */
	readonly after?: string | undefined;
}

/** Conversation threads that the service keeps. */
export interface Threads {
	create(request?: ThreadCreate, options?: CallOptions): Promise<WithRequestId<CreatedThread>>;
	/** Lists threads, newest first. Not for client keys. */
	list(filter?: ThreadListOptions, options?: CallOptions): PaginatedList<Thread>;
	get(threadId: string, options?: ThreadCallOptions): Promise<WithRequestId<Thread>>;
	update(
		threadId: string,
		request: ThreadUpdate,
		options?: ThreadCallOptions,
	): Promise<WithRequestId<Thread>>;
	/** Deletes a thread with its messages and their runs. What is being answered is cancelled first. */
	delete(threadId: string, options?: ThreadCallOptions): Promise<WithRequestId<Deleted>>;
	/** Returns messages in the order in which they were created: of all branches, or of one; all of them, or a page. */
	messages(threadId: string, options?: ThreadMessagesOptions): Promise<WithRequestId<ThreadMessageList>>;
	/** Gives the thread a title that a model makes of its first messages; without a model, their first words. */
	generateTitle(threadId: string, options?: ThreadCallOptions): Promise<WithRequestId<Thread>>;
	/** Returns the thread with all of its messages. */
	export(threadId: string, options?: ThreadCallOptions): Promise<WithRequestId<ThreadExport>>;
}

const threadPath = (threadId: string): string => path`/v1/threads/${threadId}`;

export function threads(client: StemmaClient): Threads {
	const send = <Result extends object>(
		method: "GET" | "POST" | "PATCH" | "DELETE",
		requestPath: string,
		options: ThreadCallOptions | undefined,
		more: {
			readonly json?: object;
			readonly query?: Pick<ThreadMessagesOptions, "branch" | "limit" | "after">;
		} = {},
	) => client.request<Result>({ method, path: requestPath, ...more, options: withThreadToken(options) });
	return {
		create: (json = {}, options) => client.request({ method: "POST", path: "/v1/threads", json, options }),
		list: (filter, options) => createPaginatedList(client, "/v1/threads", filter, options),
		get: (id, options) => send("GET", threadPath(id), options),
		update: (id, json, options) => send("PATCH", threadPath(id), options, { json }),
		delete: (id, options) => send("DELETE", threadPath(id), options),
		messages: (id, { branch, limit, after, ...options } = {}) =>
			send("GET", `${threadPath(id)}/messages`, options, { query: { branch, limit, after } }),
		generateTitle: (id, options) => send("POST", `${threadPath(id)}/title`, options),
		export: (id, options) => send("GET", `${threadPath(id)}/export`, options),
	};
}
