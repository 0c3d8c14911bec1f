import type { SweepRetentionInput } from "../../../storage/storage-repository";
import { DAY_MS, toDay } from "../../../usage/day";
import { inTransaction } from "../../in-transaction";
import type { JobFile } from "../../job-file";
import { deleteThreadPart } from "../threads/thread-jobs";

/** Maximum that one transaction deletes, so that other work need not wait long. */
export const RUNS_PER_SWEEP = 100;
export const ROWS_PER_SWEEP = 1000;

/** Runs that nothing waits for: they have ended, and nobody is still to be notified of their end. */
const DELETABLE_RUNS =
	"ended_at IS NOT NULL AND id NOT IN (SELECT run_id FROM a2a_push_configs WHERE is_over = 0)";

/** Responses are kept as runs are. */
const DELETABLE_RESPONSES = "status <> 'in_progress'";

/** Deletes some of what is kept no longer; returns whether there may be more. */
export function sweepRetention(file: JobFile, { retention, now }: SweepRetentionInput): boolean {
	const { runs, runDays, receipts, receiptDays, threadDays, usageDays, auditDays, feedback, feedbackDays } =
		retention;
	const remove = (sql: string, ...parameters: (string | number)[]): boolean =>
		file.prepare(sql).run(...parameters).changes > 0;
	const cutoff = (days: number): number => now - days * DAY_MS;
	return inTransaction(file, () => {
		const excess = countRuns(file) - runs;
		const removed = [
			excess > 0 &&
				remove(
					`DELETE FROM runs WHERE id IN (SELECT id FROM runs WHERE ${DELETABLE_RUNS} ORDER BY id LIMIT ?)`,
					Math.min(excess, RUNS_PER_SWEEP),
				),
			runDays !== undefined &&
				remove(
					`DELETE FROM runs WHERE id IN (SELECT id FROM runs WHERE ${DELETABLE_RUNS} AND ended_at < ? ORDER BY id LIMIT ${RUNS_PER_SWEEP})`,
					cutoff(runDays),
				),
			remove(
				`DELETE FROM responses WHERE number IN (SELECT number FROM responses WHERE ${DELETABLE_RESPONSES} AND number <= (SELECT max(number) FROM responses) - ? ORDER BY number LIMIT ${RUNS_PER_SWEEP})`,
				runs,
			),
			runDays !== undefined &&
				remove(
					`DELETE FROM responses WHERE number IN (SELECT number FROM responses WHERE ${DELETABLE_RESPONSES} AND created_at < ? ORDER BY created_at LIMIT ${RUNS_PER_SWEEP})`,
					cutoff(runDays),
				),
			remove(
				`DELETE FROM receipts WHERE number IN (SELECT number FROM receipts WHERE number <= (SELECT max(number) FROM receipts) - ? ORDER BY number LIMIT ${ROWS_PER_SWEEP})`,
				receipts,
			),
			receiptDays !== undefined &&
				remove(
					`DELETE FROM receipts WHERE number IN (SELECT number FROM receipts ORDER BY number LIMIT ${ROWS_PER_SWEEP}) AND created_at < ?`,
					cutoff(receiptDays),
				),
			threadDays !== undefined && deleteOldestThread(file, cutoff(threadDays)),
			...["usage_days", "usage_user_days", "usage_costs"].map(
				(table) =>
					usageDays !== undefined && remove(`DELETE FROM ${table} WHERE day < ?`, toDay(cutoff(usageDays))),
			),
			auditDays !== undefined &&
				remove(
					`DELETE FROM audit WHERE id IN (SELECT id FROM audit ORDER BY id LIMIT ${ROWS_PER_SWEEP}) AND created_at < ?`,
					cutoff(auditDays),
				),
			...["feedback", "answers"].flatMap((table) => [
				remove(oldestRows(table, `number <= (SELECT max(number) FROM ${table}) - ?`), feedback),
				feedbackDays !== undefined && remove(oldestRows(table, "created_at < ?"), cutoff(feedbackDays)),
			]),
		];
		return removed.includes(true);
	});
}

/** Deletes some of the oldest thread that has not changed since; returns whether there was one. */
function deleteOldestThread(file: JobFile, cutoff: number): boolean {
	const oldest = file
		.prepare<{ id: string }>(
			`SELECT id FROM threads WHERE updated_at < ? AND NOT EXISTS (
				SELECT 1 FROM thread_messages WHERE thread_id = threads.id AND ended_at IS NULL
			) ORDER BY updated_at LIMIT 1`,
		)
		.get(cutoff);
	if (oldest !== undefined) deleteThreadPart(file, oldest.id);
	return oldest !== undefined;
}
/** SQL that deletes some of the oldest rows of a table, as far as they fulfil a condition. */
const oldestRows = (table: string, condition: string): string =>
	`DELETE FROM ${table} WHERE number IN (SELECT number FROM ${table} ORDER BY number LIMIT ${ROWS_PER_SWEEP}) AND ${condition}`;

const countRuns = (file: JobFile): number =>
	Number(file.prepare("SELECT count(*) AS count FROM runs").get()?.count ?? 0);
