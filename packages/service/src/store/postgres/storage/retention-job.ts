import { type RawBuilder, sql, type Transaction } from "kysely";
import type { Retention, SweepRetentionInput } from "../../../storage/storage-repository";
import { DAY_MS, toDay } from "../../../usage/day";
import { ROWS_PER_SWEEP, RUNS_PER_SWEEP } from "../../sqlite/storage/retention-job";
import type { WorkspaceTables } from "../../workspace-tables";
import { ownRows } from "../own-rows-plugin";
import type { PostgresJob } from "../postgres-job";
import { deleteThreadPart } from "../threads/thread-jobs";

type WorkspaceTransaction = Transaction<WorkspaceTables>;

/** Deletes rows; returns whether there were any. */
type Deletion = (transaction: WorkspaceTransaction) => Promise<boolean>;

/** Some rows of a table, chosen by a key, in its order. */
interface Choice {
	readonly table: string;
	readonly key: "id" | "number" | "created_at";
	readonly condition: RawBuilder<unknown>;
	readonly limit: number;
}

/** Deletes the first rows of a choice. */
const deleteFirst =
	({ table, key, condition, limit }: Choice): Deletion =>
	async (transaction) => {
		const { numAffectedRows = 0n } = await sql`
			DELETE FROM ${sql.table(table)} WHERE ${ownRows(table)} AND id IN (
				SELECT id FROM ${sql.table(table)} WHERE ${ownRows(table)} AND ${condition}
				ORDER BY ${sql.ref(key)} LIMIT ${limit}
			)`.execute(transaction);
		return numAffectedRows > 0n;
	};

/** Number of the newest row that is beyond those that are kept; null where there are no more. */
const selectBeyond = (table: string, kept: number) => sql`(
	SELECT number FROM ${sql.table(table)} WHERE ${ownRows(table)} ORDER BY number DESC OFFSET ${kept} LIMIT 1
)`;

/** Runs that nothing waits for: they have ended, and nobody is still to be notified of their end. */
const IS_DELETABLE_RUN = sql`ended_at IS NOT NULL AND NOT EXISTS (
	SELECT 1 FROM a2a_push_configs WHERE ${ownRows("a2a_push_configs")} AND run_id = runs.id AND is_over = 0
)`;

/** Responses are kept as runs are. */
const IS_DELETABLE_RESPONSE = sql`status <> 'in_progress'`;

/** Deletes some of the oldest rows of a table, as far as they are older than a time. */
const deleteOlder =
	(table: string, key: "id" | "number", cutoff: number): Deletion =>
	async (transaction) => {
		const { numAffectedRows = 0n } = await sql`
			DELETE FROM ${sql.table(table)} WHERE ${ownRows(table)} AND created_at < ${cutoff} AND id IN (
				SELECT id FROM ${sql.table(table)} WHERE ${ownRows(table)}
				ORDER BY ${sql.ref(key)} LIMIT ${ROWS_PER_SWEEP}
			)`.execute(transaction);
		return numAffectedRows > 0n;
	};

const deleteDays =
	(table: "usage_days" | "usage_user_days" | "usage_costs", before: string): Deletion =>
	async (transaction) => {
		const { numDeletedRows } = await transaction
			.deleteFrom(table)
			.where("day", "<", before)
			.executeTakeFirst();
		return numDeletedRows > 0n;
	};

/** Deletes some of the oldest thread that has not changed since; returns whether there was one. */
const deleteOldestThread =
	(cutoff: number): Deletion =>
	async (transaction) => {
		const oldest = await transaction
			.selectFrom("threads")
			.select("id")
			.where("updated_at", "<", cutoff)
			.where(({ exists, not, selectFrom }) =>
				not(
					exists(
						selectFrom("thread_messages")
							.select("thread_messages.id")
							.whereRef("thread_id", "=", "threads.id")
							.where("ended_at", "is", null),
					),
				),
			)
			.orderBy("updated_at")
			.limit(1)
			.executeTakeFirst();
		if (oldest !== undefined) await deleteThreadPart(transaction, oldest.id);
		return oldest !== undefined;
	};

const deleteExcessRuns =
	(kept: number): Deletion =>
	async (transaction) => {
		const { runs } = await transaction
			.selectFrom("runs")
			.select(({ fn }) => fn.countAll<number>().as("runs"))
			.executeTakeFirstOrThrow();
		if (runs <= kept) return false;
		const limit = Math.min(runs - kept, RUNS_PER_SWEEP);
		return deleteFirst({ table: "runs", key: "id", condition: IS_DELETABLE_RUN, limit })(transaction);
	};

/** Deletes the oldest rows of a table beyond a number of rows. */
const deleteBeyond = (table: string, kept: number): Deletion =>
	deleteFirst({
		table,
		key: "number",
		condition: sql`number <= ${selectBeyond(table, kept)}`,
		limit: ROWS_PER_SWEEP,
	});

/** Deletions of runs and responses. */
function listRunDeletions({ runs, runDays }: Retention, now: number): readonly Deletion[] {
	const limit = RUNS_PER_SWEEP;
	const excess = sql`${IS_DELETABLE_RESPONSE} AND number <= ${selectBeyond("responses", runs)}`;
	const byNumber = [
		deleteExcessRuns(runs),
		deleteFirst({ table: "responses", key: "number", condition: excess, limit }),
	];
	if (runDays === undefined) return byNumber;
	const cutoff = now - runDays * DAY_MS;
	const ended = sql`${IS_DELETABLE_RUN} AND ended_at < ${cutoff}`;
	const created = sql`${IS_DELETABLE_RESPONSE} AND created_at < ${cutoff}`;
	return [
		...byNumber,
		deleteFirst({ table: "runs", key: "id", condition: ended, limit }),
		deleteFirst({ table: "responses", key: "created_at", condition: created, limit }),
	];
}

/** Deletions of everything else. */
function listOtherDeletions(retention: Retention, now: number): readonly Deletion[] {
	const { receipts, receiptDays, threadDays, usageDays, auditDays, feedback, feedbackDays } = retention;
	const cutoff = (days: number): number => now - days * DAY_MS;
	const older = (table: string, key: "id" | "number", days: number | undefined) =>
		days === undefined ? [] : [deleteOlder(table, key, cutoff(days))];
	return [
		deleteBeyond("receipts", receipts),
		...older("receipts", "number", receiptDays),
		...(threadDays === undefined ? [] : [deleteOldestThread(cutoff(threadDays))]),
		...(usageDays === undefined
			? []
			: (["usage_days", "usage_user_days", "usage_costs"] as const).map((table) =>
					deleteDays(table, toDay(cutoff(usageDays))),
				)),
		...older("audit", "id", auditDays),
		...["feedback", "answers"].flatMap((table) => [
			deleteBeyond(table, feedback),
			...older(table, "number", feedbackDays),
		]),
	];
}

/** Deletes some of what is kept no longer; returns whether there may be more. */
export const sweepRetention: PostgresJob<SweepRetentionInput, boolean> = async (
	transaction,
	{ retention, now },
) => {
	let isDeleted = false;
	for (const deleteRows of [...listRunDeletions(retention, now), ...listOtherDeletions(retention, now)])
		if (await deleteRows(transaction)) isDeleted = true;
	return isDeleted;
};
