import type { Transaction } from "kysely";
import { ROWS_PER_STEP } from "../../sqlite/storage/erase-user-job";
import type { WorkspaceTables } from "../../workspace-tables";
import type { PostgresJob } from "../postgres-job";

type WorkspaceTransaction = Transaction<WorkspaceTables>;

/** Deletions of what belongs to a user, in order. */
const toDeletions = (transaction: WorkspaceTransaction, userId: string) => [
	// What others have sent about the person's answers has the questions, too: before these go.
	transaction.deleteFrom("feedback").where("number", "in", ({ selectFrom }) =>
		selectFrom("feedback")
			.select("number")
			.where(({ eb, or }) =>
				or([
					eb("subject", "in", selectFrom("runs").select("runs.id").where("started_by", "=", userId)),
					eb("subject", "in", selectFrom("answers").select("answers.id").where("asked_by", "=", userId)),
				]),
			)
			.limit(ROWS_PER_STEP),
	),
	transaction
		.deleteFrom("runs")
		.where("id", "in", ({ selectFrom }) =>
			selectFrom("runs")
				.select("id")
				.where("started_by", "=", userId)
				.where("ended_at", "is not", null)
				.limit(ROWS_PER_STEP),
		),
	transaction
		.deleteFrom("feedback")
		.where("number", "in", ({ selectFrom }) =>
			selectFrom("feedback").select("number").where("sent_by", "=", userId).limit(ROWS_PER_STEP),
		),
	// Responses that are kept for repeated requests.
	transaction
		.deleteFrom("idempotency")
		.where(({ eb, refTuple, selectFrom }) =>
			eb(
				refTuple("caller_id", "route", "key"),
				"in",
				selectFrom("idempotency")
					.select(["caller_id", "route", "key"])
					.where("caller_id", "=", userId)
					.limit(ROWS_PER_STEP)
					.$asTuple("caller_id", "route", "key"),
			),
		),
	transaction
		.deleteFrom("answers")
		.where("id", "in", ({ selectFrom }) =>
			selectFrom("answers").select("id").where("asked_by", "=", userId).limit(ROWS_PER_STEP),
		),
];

/** Deletes some of the runs, feedback, answers and kept responses of a user; returns whether there may be more. Receipts stay. */
export const eraseUser: PostgresJob<{ readonly userId: string }, boolean> = async (
	transaction,
	{ userId },
) => {
	let deleted = 0n;
	for (const deletion of toDeletions(transaction, userId))
		deleted += (await deletion.executeTakeFirst()).numDeletedRows;
	return deleted > 0n;
};
