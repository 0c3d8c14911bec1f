import { sql, type Transaction } from "kysely";
import {
	type InterruptedMessagesEnd,
	type MessageEnd,
	RUNS_PER_DELETION,
} from "../../sqlite/threads/thread-jobs";
import type { WorkspaceTables } from "../../workspace-tables";
import { isUnclaimed } from "../claims/claim-conditions";
import { ownRows } from "../own-rows-plugin";
import type { PostgresJob } from "../postgres-job";
import { endMessage } from "./end-message";

/** Ends an answer, once. */
export const endThreadMessage: PostgresJob<MessageEnd, boolean> = (
	transaction,
	{ messageId, outcome, now },
) => endMessage(transaction, messageId, outcome, now);

/** Ends the answers without a run that no living instance is at. */
export const endInterruptedMessages: PostgresJob<InterruptedMessagesEnd, void> = async (
	transaction,
	{ outcome, now, owner = "" },
) => {
	const unfinished = await transaction
		.selectFrom("thread_messages")
		.select("id")
		.where("ended_at", "is", null)
		.where("run_id", "is", null)
		.where(isUnclaimed("answer", "thread_messages.id", owner))
		.execute();
	for (const { id } of unfinished) await endMessage(transaction, id, outcome, now);
};

/** Deletes some of a thread: runs of its messages, or at last the thread itself. */
export const deleteThreadStep: PostgresJob<string, "deleted" | "missing" | "active" | "unfinished"> = async (
	transaction,
	threadId,
) => {
	const thread = await transaction
		.selectFrom("threads")
		.select("id")
		.where("id", "=", threadId)
		.executeTakeFirst();
	if (thread === undefined) return "missing";
	const active = await transaction
		.selectFrom("thread_messages")
		.select("id")
		.where("thread_id", "=", threadId)
		.where("ended_at", "is", null)
		.executeTakeFirst();
	if (active !== undefined) return "active";
	return (await deleteThreadPart(transaction, threadId)) ? "deleted" : "unfinished";
};

/**
 * Runs of a thread's messages with those that are within them and have ended, the innermost first: a run goes after those
 * that name it. A run that has not ended is left to the retention, as its events are still to be written.
 */
const selectRuns = (threadId: string) => sql<string>`(
	WITH RECURSIVE nested (id) AS (
		(
			SELECT runs.id FROM thread_messages JOIN runs ON runs.id = thread_messages.run_id
			WHERE ${ownRows("thread_messages")} AND ${ownRows("runs")} AND thread_id = ${threadId}
			LIMIT ${RUNS_PER_DELETION}
		)
		UNION ALL
		SELECT runs.id FROM nested JOIN runs ON runs.within = nested.id
		WHERE ${ownRows("runs")} AND runs.ended_at IS NOT NULL
	)
	SELECT id FROM nested WHERE NOT EXISTS (
		SELECT 1 FROM runs AS inner_run
		WHERE ${ownRows("inner_run")} AND inner_run.within = nested.id AND inner_run.ended_at IS NOT NULL
	) LIMIT ${RUNS_PER_DELETION}
)`;

/** Deletes some runs of a thread's messages, or the thread where it has no more; returns whether the thread is gone. */
export async function deleteThreadPart(
	transaction: Transaction<WorkspaceTables>,
	threadId: string,
): Promise<boolean> {
	const ofMessages = <Column extends "id" | "run_id" | "answer_id">(column: Column) =>
		transaction.selectFrom("thread_messages").select(column).where("thread_id", "=", threadId);
	await transaction.deleteFrom("idempotency").where("reference", "in", ofMessages("run_id")).execute();
	const { numDeletedRows } = await transaction
		.deleteFrom("runs")
		.where("id", "in", selectRuns(threadId))
		.executeTakeFirst();
	if (numDeletedRows > 0n) return false;
	await transaction.deleteFrom("answers").where("id", "in", ofMessages("answer_id")).execute();
	await transaction
		.deleteFrom("idempotency")
		.where(({ eb, or }) => or([eb("reference", "=", threadId), eb("reference", "in", ofMessages("id"))]))
		.execute();
	await transaction.deleteFrom("threads").where("id", "=", threadId).execute();
	return true;
}
