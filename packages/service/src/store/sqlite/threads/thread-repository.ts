import { type ExpressionBuilder, type Kysely, type Selectable, sql } from "kysely";
import type { StoredMessage, StoredThread } from "../../../threads/stored-thread";
import type { ThreadListOptions, ThreadRepository } from "../../../threads/thread-repository";
import type { Database } from "../../database";
import { parseColumn } from "../../json-column";
import type { WorkspaceTables } from "../../workspace-tables";
import { appendTurn } from "./append-turn";
import type { MessageRow, ThreadRow } from "./thread-tables";

type Queries = Kysely<WorkspaceTables>;

/** Threads in the SQLite file of a workspace. */
export const createThreadRepository = ({
	read,
	write,
	writeJob,
}: Pick<Database<WorkspaceTables>, "read" | "write" | "writeJob">): ThreadRepository => ({
	insert: ({ metadata, ...thread }, check) =>
		write.transaction().execute(async (transaction) => {
			check(await countThreads(transaction));
			const { created_at } = thread;
			await transaction
				.insertInto("threads")
				.values({
					...thread,
					metadata: JSON.stringify(metadata),
					...{ message_count: 0, characters: 0, updated_at: created_at },
				})
				.execute();
		}),
	find: (id) => findThread(read, id),
	list: (options) => listThreads(read, options),
	update: (id, { title, metadata }, now) =>
		write.transaction().execute(async (transaction) => {
			await transaction
				.updateTable("threads")
				.set({
					...(title !== undefined && { title }),
					...(metadata !== undefined && { metadata: JSON.stringify(metadata) }),
					updated_at: now,
				})
				.where("id", "=", id)
				.execute();
			return findThread(transaction, id);
		}),
	async delete(id) {
		for (;;) {
			const step = await writeJob("deleteThreadStep", id);
			if (step !== "unfinished") return step;
		}
	},
	appendTurn: (turn) => write.transaction().execute((transaction) => appendTurn(transaction, turn)),
	...createMessageQueries(read),
	async startMessage(messageId) {
		await write
			.updateTable("thread_messages")
			.set({ status: "in_progress" })
			.where("id", "=", messageId)
			.where("status", "=", "queued")
			.execute();
	},
	endMessage: (messageId, outcome, now) => writeJob("endThreadMessage", { messageId, outcome, now }),
	endInterrupted: (outcome, now) => writeJob("endInterruptedMessages", { outcome, now }),
});

async function countThreads(queries: Queries): Promise<number> {
	const { count } = await queries
		.selectFrom("threads")
		.select(({ fn }) => fn.countAll<number>().as("count"))
		.executeTakeFirstOrThrow();
	return count;
}

/** Run of the oldest answer that is being written, or waits for a person. */
const activeRunId = ({ selectFrom }: ExpressionBuilder<WorkspaceTables, "threads">) =>
	selectFrom("thread_messages")
		.select("run_id")
		.whereRef("thread_messages.thread_id", "=", "threads.id")
		.where("ended_at", "is", null)
		.where("status", "!=", "queued")
		.orderBy("number")
		.limit(1)
		.as("active_run_id");

const selectThreads = (queries: Queries) => queries.selectFrom("threads").selectAll().select(activeRunId);

async function findThread(queries: Queries, id: string): Promise<StoredThread | undefined> {
	const row = await selectThreads(queries).where("id", "=", id).executeTakeFirst();
	return row && toStoredThread(row);
}

async function listThreads(
	queries: Queries,
	{ limit, after, query, owner }: ThreadListOptions,
): Promise<readonly StoredThread[]> {
	const pattern = toPattern(query ?? "");
	const rows = await selectThreads(queries)
		.$if(after !== undefined, (select) => select.where("id", "<", after ?? ""))
		.$if(owner !== undefined, (select) => select.where("owner_id", "=", owner ?? ""))
		.$if(query !== undefined, (select) =>
			select.where(({ or, exists, selectFrom }) =>
				or([
					sql<boolean>`threads.title LIKE ${pattern} ESCAPE '\\'`,
					exists(
						selectFrom("thread_messages")
							.select(sql`1`.as("found"))
							.whereRef("thread_messages.thread_id", "=", "threads.id")
							.where(sql<boolean>`thread_messages.text LIKE ${pattern} ESCAPE '\\'`),
					),
				]),
			),
		)
		.orderBy("id", "desc")
		.limit(limit + 1)
		.execute();
	return rows.map(toStoredThread);
}

/** Pattern of `LIKE` for a text anywhere. */
const toPattern = (text: string): string => `%${text.replace(/[\\%_]/g, "\\$&")}%`;

const toStoredThread = ({
	metadata,
	...thread
}: ThreadRow & Pick<StoredThread, "active_run_id">): StoredThread => ({
	...thread,
	metadata: parseColumn(metadata),
});

/** Number of messages that is never reached. */
const NO_LIMIT = 1_000_000_000;

/** Queries of messages. */
const createMessageQueries = (
	read: Queries,
): Pick<
	ThreadRepository,
	"listMessages" | "listBranch" | "findMessage" | "findRunMessage" | "listUnfinished"
> => ({
	async listMessages(threadId) {
		const rows = await selectMessages(read).where("thread_id", "=", threadId).orderBy("number").execute();
		return rows.map(toStoredMessage);
	},
	async listBranch(threadId, messageId, limit = NO_LIMIT) {
		const { rows } = await sql<Selectable<MessageRow>>`
			WITH RECURSIVE branch (number, parent_id, depth) AS (
				SELECT number, parent_id, 1 FROM thread_messages WHERE id = ${messageId} AND thread_id = ${threadId}
				UNION ALL
				SELECT parent.number, parent.parent_id, depth + 1
				FROM branch JOIN thread_messages AS parent ON parent.id = branch.parent_id
				WHERE parent.thread_id = ${threadId} AND parent.number < branch.number AND depth < ${limit}
			)
			SELECT thread_messages.* FROM branch JOIN thread_messages USING (number) ORDER BY number`.execute(read);
		return rows.map(toStoredMessage);
	},
	async findMessage(threadId, messageId) {
		const row = await selectMessages(read)
			.where("id", "=", messageId)
			.where("thread_id", "=", threadId)
			.executeTakeFirst();
		return row && toStoredMessage(row);
	},
	findRunMessage: (runId) =>
		read
			.selectFrom("thread_messages")
			.select(["id", "thread_id"])
			.where("run_id", "=", runId)
			.executeTakeFirst(),
	listUnfinished: (threadId, beforeId) =>
		read
			.selectFrom("thread_messages")
			.select(["id", "run_id"])
			.where("thread_id", "=", threadId)
			.where("ended_at", "is", null)
			.$if(beforeId !== undefined, (select) =>
				select.where("number", "<", (builder) =>
					builder
						.selectFrom("thread_messages")
						.select("number")
						.where("id", "=", beforeId ?? ""),
				),
			)
			.orderBy("number")
			.execute(),
});

const selectMessages = (queries: Queries) => queries.selectFrom("thread_messages").selectAll();

const toStoredMessage = ({
	number: _,
	ended_at: __,
	citations,
	receipt,
	error,
	...message
}: Selectable<MessageRow>): StoredMessage => ({
	...message,
	citations: citations && parseColumn(citations),
	receipt: receipt && parseColumn(receipt),
	error: error && parseColumn(error),
});
