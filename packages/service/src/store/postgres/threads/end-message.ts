import type { LoggedEvent } from "@stemma/runs";
import { sql, type Transaction } from "kysely";
import type { MessageOutcome } from "../../../threads/stored-thread";
import { readOutcome, toOutcomeColumns } from "../../repositories/threads/message-outcome";
import type { WorkspaceTables } from "../../workspace-tables";

/** Writes what an event of a run changes of the message that the run answers, in the transaction that stores the event. */
export async function updateRunMessage(
	transaction: Transaction<WorkspaceTables>,
	event: LoggedEvent,
): Promise<void> {
	if (!event.type.startsWith("run.")) return;
	const message = await transaction
		.selectFrom("thread_messages")
		.select("id")
		.where("run_id", "=", event.runId)
		.where("ended_at", "is", null)
		.executeTakeFirst();
	if (message === undefined) return;
	if (event.endedAt !== undefined)
		await endMessage(transaction, message.id, readOutcome(event), event.endedAt);
	else
		await transaction
			.updateTable("thread_messages")
			.set({ status: event.status === "paused" ? "waiting" : "in_progress" })
			.where("id", "=", message.id)
			.execute();
}

/** Ends an answer, once. Returns false where it has ended before, or is gone. */
export async function endMessage(
	transaction: Transaction<WorkspaceTables>,
	id: string,
	outcome: MessageOutcome,
	now: number,
): Promise<boolean> {
	const ended = await transaction
		.updateTable("thread_messages")
		.set({ ...toOutcomeColumns(outcome), ended_at: now })
		.where("id", "=", id)
		.where("ended_at", "is", null)
		.returning("thread_id")
		.executeTakeFirst();
	if (ended === undefined) return false;
	await transaction
		.updateTable("threads")
		.set(({ eb }) => ({
			characters: eb("characters", "+", outcome.text.length),
			updated_at: sql<number>`greatest(updated_at, ${now})`,
		}))
		.where("id", "=", ended.thread_id)
		.execute();
	return true;
}
