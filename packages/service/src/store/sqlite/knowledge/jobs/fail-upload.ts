import type { RunError } from "@stemma/core";
import type { JobFile } from "../../../job-file";

/** Fails an upload. Its document stays listed with the reason, and shows the passages that it had before. */
export function failUpload(file: JobFile, upload: number, error: RunError, now: number): void {
	file
		.prepare(
			"UPDATE documents SET status = 'failed', error = ?, updated_at = ?" +
				" WHERE number = (SELECT document FROM uploads WHERE number = ?)",
		)
		.run(JSON.stringify(error), now, upload);
	file.prepare("DELETE FROM uploads WHERE number = ?").run(upload);
}
