import type { MessageOutcome } from "../../../threads/stored-thread";
import { inTransaction } from "../../in-transaction";
import type { JobFile } from "../../job-file";
import { endMessage } from "./end-message";

/** Runs that one transaction deletes, so that other work need not wait long. */
export const RUNS_PER_DELETION = 50;

/** Answer to be ended. */
export interface MessageEnd {
	readonly messageId: string;
	readonly outcome: MessageOutcome;
	/** Epoch milliseconds. */
	readonly now: number;
}

/** Answers to be ended that nobody is at. */
export interface InterruptedMessagesEnd extends Pick<MessageEnd, "outcome" | "now"> {
	/** Id of the instance that ends them, whose own go on. Left out for a store of one process. */
	readonly owner?: string | undefined;
}

/** Ends an answer, once. */
export const endThreadMessage = (file: JobFile, { messageId, outcome, now }: MessageEnd): boolean =>
	inTransaction(file, () => endMessage(file, messageId, outcome, now));

/** Ends the answers without a run that the process before has left unfinished. */
export const endInterruptedMessages = (file: JobFile, { outcome, now }: InterruptedMessagesEnd): void =>
	inTransaction(file, () => {
		const unfinished = file
			.prepare<{ id: string }>("SELECT id FROM thread_messages WHERE ended_at IS NULL AND run_id IS NULL")
			.all();
		for (const { id } of unfinished) endMessage(file, id, outcome, now);
	});

/** Deletes some of a thread: runs of its messages, or at last the thread itself. */
export const deleteThreadStep = (
	file: JobFile,
	threadId: string,
): "deleted" | "missing" | "active" | "unfinished" =>
	inTransaction(file, () => {
		const isThere = file.prepare("SELECT 1 FROM threads WHERE id = ?").get(threadId);
		if (isThere === undefined) return "missing";
		const isActive = file
			.prepare("SELECT 1 FROM thread_messages WHERE thread_id = ? AND ended_at IS NULL LIMIT 1")
			.get(threadId);
		if (isActive !== undefined) return "active";
		return deleteThreadPart(file, threadId) ? "deleted" : "unfinished";
	});

/**
 * Runs of a thread's messages with those that are within them and have ended, the innermost first: a run goes after those
 * that name it. A run that has not ended is left to the retention, as its events are still to be written.
 */
const DELETE_RUNS = `
	WITH RECURSIVE nested (id, depth) AS (
		SELECT * FROM (
			SELECT runs.id, 0 FROM thread_messages JOIN runs ON runs.id = run_id
			WHERE thread_id = ? LIMIT ${RUNS_PER_DELETION}
		)
		UNION ALL
		SELECT runs.id, depth + 1 FROM nested JOIN runs ON within = nested.id WHERE ended_at IS NOT NULL
		ORDER BY 2 DESC
	)
	DELETE FROM runs WHERE id IN (
		SELECT id FROM nested WHERE NOT EXISTS (
			SELECT 1 FROM runs AS inner_run WHERE inner_run.within = nested.id AND inner_run.ended_at IS NOT NULL
		) LIMIT ${RUNS_PER_DELETION}
	)`;

/** Stored answers that messages of a thread are. */
const DELETE_ANSWERS =
	"DELETE FROM answers WHERE id IN (SELECT answer_id FROM thread_messages WHERE thread_id = ?)";

/** Requests that may be sent again, and whose responses tell of a thread. */
const DELETE_REQUESTS = `
	DELETE FROM idempotency
	WHERE reference = ?1 OR reference IN (SELECT id FROM thread_messages WHERE thread_id = ?1)`;

/** Requests that have started the runs of a thread's messages. */
const DELETE_RUN_REQUESTS = `
	DELETE FROM idempotency WHERE reference IN (SELECT run_id FROM thread_messages WHERE thread_id = ?)`;

/** Deletes some runs of a thread's messages, or the thread where it has no more; returns whether the thread is gone. */
export function deleteThreadPart({ prepare }: JobFile, threadId: string): boolean {
	prepare(DELETE_RUN_REQUESTS).run(threadId);
	if (prepare(DELETE_RUNS).run(threadId).changes > 0) return false;
	prepare(DELETE_ANSWERS).run(threadId);
	prepare(DELETE_REQUESTS).run(threadId);
	prepare("DELETE FROM threads WHERE id = ?").run(threadId);
	return true;
}
