import type { ExpressionBuilder, Kysely, Selectable } from "kysely";
import type { StoredMessage, StoredThread } from "../../../threads/stored-thread";
import type { ThreadRepository } from "../../../threads/thread-repository";
import { ownClaims, type WorkClaims } from "../../claims/work-claims";
import type { Database } from "../../database";
import { parseColumn } from "../../json-column";
import type { ListedThreadRow } from "../../sqlite/threads/list-threads-job";
import type { MessageRow } from "../../sqlite/threads/thread-tables";
import type { WorkspaceTables } from "../../workspace-tables";
import { appendTurn } from "./append-turn";

type Queries = Kysely<WorkspaceTables>;

/** Threads of a workspace. */
export const createThreadRepository = (
	{
		read,
		readJob,
		write,
		writeJob,
	}: Pick<Database<WorkspaceTables>, "read" | "readJob" | "write" | "writeJob">,
	claims: WorkClaims = ownClaims,
): ThreadRepository => ({
	insert: (thread, check) =>
		write.transaction().execute(async (transaction) => {
			check({
				workspace: await countThreads(transaction),
				owner: await countThreads(transaction, thread.owner_id),
			});
			await insertThread(transaction, thread);
		}),
	find: (id) => findThread(read, id),
	list: async (options) => (await readJob("listThreads", options)).map(toStoredThread),
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
	appendTurn: (turn) =>
		claims.taking({ kind: "answer", id: turn.answerId }, (take) =>
			write.transaction().execute(async (transaction) => {
				const questionId = await appendTurn(transaction, turn);
				await take(transaction);
				return questionId;
			}),
		),
	...createMessageQueries(read, readJob),
	async startMessage(messageId) {
		await write
			.updateTable("thread_messages")
			.set({ status: "in_progress" })
			.where("id", "=", messageId)
			.where("status", "=", "queued")
			.execute();
	},
	endMessage: (messageId, outcome, now) => writeJob("endThreadMessage", { messageId, outcome, now }),
	endInterrupted: (outcome, now) => writeJob("endInterruptedMessages", { outcome, now, owner: claims.owner }),
});

async function insertThread(
	queries: Queries,
	{ metadata, ...thread }: Parameters<ThreadRepository["insert"]>[0],
): Promise<void> {
	await queries
		.insertInto("threads")
		.values({
			...thread,
			metadata: JSON.stringify(metadata),
			...{ message_count: 0, characters: 0, updated_at: thread.created_at },
		})
		.execute();
}

async function countThreads(queries: Queries, owner?: string): Promise<number> {
	const { count } = await queries
		.selectFrom("threads")
		.select(({ fn }) => fn.countAll<number>().as("count"))
		.$if(owner !== undefined, (select) => select.where("owner_id", "=", owner ?? ""))
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

/** Query of threads with the run of each that is active. */
export const selectThreads = (queries: Queries) =>
	queries.selectFrom("threads").selectAll().select(activeRunId);

async function findThread(queries: Queries, id: string): Promise<StoredThread | undefined> {
	const row = await selectThreads(queries).where("id", "=", id).executeTakeFirst();
	return row && toStoredThread(row);
}

const toStoredThread = ({ metadata, ...thread }: ListedThreadRow): StoredThread => ({
	...thread,
	metadata: parseColumn(metadata),
});

/** Queries of messages. */
const createMessageQueries = (
	read: Queries,
	readJob: Database<WorkspaceTables>["readJob"],
): Pick<
	ThreadRepository,
	"listMessages" | "listBranch" | "findMessage" | "findRunMessage" | "listUnfinished"
> => ({
	listMessages: async (threadId, page) =>
		(await readJob("listThreadMessages", { threadId, page })).map(toStoredMessage),
	listBranch: async (threadId, messageId, limit, page) =>
		(await readJob("listThreadBranch", { threadId, messageId, limit, page })).map(toStoredMessage),
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
