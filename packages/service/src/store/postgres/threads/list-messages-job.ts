import { type Selectable, type SelectQueryBuilder, sql } from "kysely";
import type { MessagePage } from "../../../threads/thread-repository";
import {
	type BranchSelection,
	type MessageSelection,
	NO_LIMIT,
} from "../../sqlite/threads/list-messages-job";
import type { MessageRow } from "../../sqlite/threads/thread-tables";
import type { WorkspaceTables } from "../../workspace-tables";
import { ownRows } from "../own-rows-plugin";
import type { PostgresJob } from "../postgres-job";

type MessageRows = readonly Selectable<MessageRow>[];

/** Lists messages of a thread, in the order in which they were created. */
export const listThreadMessages: PostgresJob<MessageSelection, MessageRows> = (
	transaction,
	{ threadId, page = {} },
) =>
	inPage(
		transaction.selectFrom("thread_messages").selectAll().where("thread_id", "=", threadId),
		threadId,
		page,
	).execute();

/** Lists a message and its last ancestors, root first; none where the thread has no such message. */
export const listThreadBranch: PostgresJob<BranchSelection, MessageRows> = (
	transaction,
	{ threadId, messageId, limit = NO_LIMIT, page = {} },
) =>
	inPage(
		transaction
			.selectFrom("thread_messages")
			.selectAll()
			.where("number", "in", selectBranch({ threadId, messageId, limit })),
		threadId,
		page,
	).execute();

const selectBranch = ({ threadId, messageId, limit }: Required<Omit<BranchSelection, "page">>) =>
	sql<number>`(
		WITH RECURSIVE branch (number, parent_id, depth) AS (
			SELECT number, parent_id, 1 FROM thread_messages
			WHERE ${ownRows("thread_messages")} AND id = ${messageId} AND thread_id = ${threadId}
			UNION ALL
			SELECT parent.number, parent.parent_id, depth + 1
			FROM branch JOIN thread_messages AS parent ON parent.id = branch.parent_id
			WHERE ${ownRows("parent")} AND parent.thread_id = ${threadId} AND parent.number < branch.number AND depth < ${limit}
		)
		SELECT number FROM branch
	)`;

/** Messages of a page: those behind one of the same thread. */
const inPage = (
	messages: SelectQueryBuilder<WorkspaceTables, "thread_messages", Selectable<MessageRow>>,
	threadId: string,
	{ after, limit }: MessagePage,
) =>
	messages
		.$if(after !== undefined, (select) =>
			select.where("number", ">", ({ selectFrom }) =>
				selectFrom("thread_messages as last")
					.select("last.number")
					.where("last.id", "=", after ?? "")
					.where("last.thread_id", "=", threadId),
			),
		)
		.orderBy("number")
		.$if(limit !== undefined, (select) => select.limit((limit ?? 0) + 1));
