import type { JobFile } from "../store/jobs";
import { inTransaction } from "./in-transaction";

export const PUT_BACK = "knowledge.put-back";

/** Uploads that were taken wait again: whatever ends the process now, reading them was not at fault. */
export function putBack(file: JobFile, uploads: readonly number[]): void {
	const numbers = JSON.stringify(uploads);
	inTransaction(file, () => {
		file
			.prepare("UPDATE uploads SET attempts = 0 WHERE number IN (SELECT value FROM json_each(?))")
			.run(numbers);
		file
			.prepare(
				"UPDATE documents SET status = 'queued' WHERE number IN" +
					" (SELECT document FROM uploads WHERE number IN (SELECT value FROM json_each(?)))",
			)
			.run(numbers);
	});
}
