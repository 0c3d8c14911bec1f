import type { RunError } from "@stemma/core";
import { READER_VERSIONS } from "@stemma/documents";
import type { JobFile } from "../../../../job-file";
import { toVersionsJson } from "../../outdated-documents";

/**
 * Fails an upload. Its document stays listed with the reason, and shows the passages that it had before. One that was read
 * again stays as it is, and is not tried once more by the same reader.
 */
export function failUpload(file: JobFile, upload: number, error: RunError, now: number): void {
	file
		.prepare(
			"UPDATE documents SET status = 'failed', error = ?, updated_at = ?" +
				" WHERE number = (SELECT document FROM uploads WHERE number = ? AND rereading = 0)",
		)
		.run(JSON.stringify(error), now, upload);
	setReaderVersion(file, upload);
	file.prepare("DELETE FROM uploads WHERE number = ?").run(upload);
}

/** Notes that the document of an upload was read by the reader of today. */
export function setReaderVersion(file: JobFile, upload: number): void {
	file
		.prepare(
			"UPDATE documents SET reader_version = max(reader_version, coalesce((SELECT value FROM json_each(?) WHERE key = format), 1))" +
				" WHERE number = (SELECT document FROM uploads WHERE number = ?)",
		)
		.run(toVersionsJson(READER_VERSIONS), upload);
}
