import type { JobFile } from "../../store/job-file";

/**
 * Counts one more attempt of an upload that was being read when the process ended before; called each time that it is
 * read again.
 */
export function countAttempt(file: JobFile, upload: number): void {
	file.prepare("UPDATE uploads SET attempts = attempts + 1 WHERE number = ?").run(upload);
}
