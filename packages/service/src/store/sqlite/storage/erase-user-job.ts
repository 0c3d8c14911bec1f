import { inTransaction } from "../../in-transaction";
import type { JobFile } from "../../job-file";

/** Maximum that one transaction deletes, so that other work need not wait long. */
export const ROWS_PER_STEP = 100;

const STATEMENTS = [
	// What others have sent about the person's answers has the questions, too: before these go.
	"DELETE FROM feedback WHERE number IN (SELECT number FROM feedback WHERE subject IN (SELECT id FROM runs WHERE started_by = ?1) OR subject IN (SELECT id FROM answers WHERE asked_by = ?1) LIMIT ?2)",
	"DELETE FROM runs WHERE id IN (SELECT id FROM runs WHERE started_by = ? AND ended_at IS NOT NULL LIMIT ?)",
	"DELETE FROM feedback WHERE number IN (SELECT number FROM feedback WHERE sent_by = ? LIMIT ?)",
	// Responses that are kept for repeated requests.
	"DELETE FROM idempotency WHERE rowid IN (SELECT rowid FROM idempotency WHERE caller_id = ? LIMIT ?)",
	"DELETE FROM answers WHERE id IN (SELECT id FROM answers WHERE asked_by = ? LIMIT ?)",
];

/** Deletes some of the runs, feedback, answers and kept responses of a user; returns whether there may be more. Receipts stay. */
export const eraseUser = (file: JobFile, { userId }: { readonly userId: string }): boolean =>
	inTransaction(file, () =>
		STATEMENTS.map((sql) => file.prepare(sql).run(userId, ROWS_PER_STEP).changes > 0).includes(true),
	);
