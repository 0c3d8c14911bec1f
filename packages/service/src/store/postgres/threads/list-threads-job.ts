import type { ThreadListOptions } from "../../../threads/thread-repository";
import { selectThreads } from "../../repositories/threads/thread-repository";
import { type ListedThreadRow, toPattern } from "../../sqlite/threads/list-threads-job";
import type { PostgresJob } from "../postgres-job";

/** Lists threads, newest first; one more than `limit`, where there are more. */
export const listThreads: PostgresJob<ThreadListOptions, readonly ListedThreadRow[]> = (
	transaction,
	{ limit, after, query, owner, withoutAgents = [] },
) => {
	const pattern = toPattern(query ?? "");
	return (
		selectThreads(transaction)
			// Like that of SQLite, and in these columns: only letters of ASCII have cases.
			.$if(query !== undefined, (select) =>
				select.where(({ eb, exists, or, selectFrom }) =>
					or([
						eb("title", "ilike", pattern),
						exists(
							selectFrom("thread_messages")
								.select("thread_messages.id")
								.whereRef("thread_messages.thread_id", "=", "threads.id")
								.where("text", "ilike", pattern),
						),
					]),
				),
			)
			.$if(after !== undefined, (select) => select.where("id", "<", after ?? ""))
			.$if(owner !== undefined, (select) => select.where("owner_id", "=", owner ?? ""))
			.$if(withoutAgents.length > 0, (select) =>
				select.where(({ eb, or }) =>
					or([eb("agent_id", "is", null), eb("agent_id", "not in", withoutAgents)]),
				),
			)
			.orderBy("id", "desc")
			.limit(limit + 1)
			.execute()
	);
};
