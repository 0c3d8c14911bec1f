import type { JobFile } from "../store/jobs";
import { inTransaction } from "./in-transaction";

export const RECOVER = "knowledge.recover";

/**
 * Before the first document is read: what was under way when the process ended is queued again.
 *
 * @returns the number for the next passage.
 */
export function recover(file: JobFile): number {
	return inTransaction(file, () => {
		file
			.prepare(
				"UPDATE uploads SET attempts = max(attempts, 1) WHERE document IN (SELECT number FROM documents WHERE status = 'processing')",
			)
			.run();
		file
			.prepare(
				"UPDATE documents SET status = 'queued' WHERE status = 'processing' AND number IN (SELECT document FROM uploads)",
			)
			.run();
		const row = file
			.prepare(
				"SELECT max(coalesce((SELECT max(number) FROM passages), 0), coalesce((SELECT max(last) FROM passage_sweeps), 0)) AS last",
			)
			.get();
		return Number(row?.last ?? 0) + 1;
	});
}
