import type { SweepRetentionInput } from "../../../storage/storage-repository";
import { DAY_MS, toDay } from "../../../usage/day";
import { inTransaction } from "../../in-transaction";
import type { JobFile } from "../../job-file";

/** Maximum that one transaction deletes, so that other work need not wait long. */
const RUNS_PER_SWEEP = 100;
const ROWS_PER_SWEEP = 1000;

/** Runs that nothing waits for: they have ended, and nobody is still to be notified of their end. */
const DELETABLE_RUNS =
	"ended_at IS NOT NULL AND id NOT IN (SELECT run_id FROM a2a_push_configs WHERE is_over = 0)";

/** Responses are kept as runs are. */
const DELETABLE_RESPONSES = "status <> 'in_progress'";

/** Deletes some of what is kept no longer; returns whether there may be more. */
export function sweepRetention(file: JobFile, { retention, now }: SweepRetentionInput): boolean {
	const { runs, runDays, receipts, receiptDays, usageDays, auditDays } = retention;
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
			usageDays !== undefined && remove("DELETE FROM usage_days WHERE day < ?", toDay(cutoff(usageDays))),
			auditDays !== undefined &&
				remove(
					`DELETE FROM audit WHERE id IN (SELECT id FROM audit ORDER BY id LIMIT ${ROWS_PER_SWEEP}) AND created_at < ?`,
					cutoff(auditDays),
				),
		];
		return removed.includes(true);
	});
}

const countRuns = (file: JobFile): number =>
	Number(file.prepare("SELECT count(*) AS count FROM runs").get()?.count ?? 0);
