import type { JobFile } from "../../store/job-file";

/** Name of the job that counts one more attempt at an upload which was being read when the process ended. */
export const COUNT_ATTEMPT = "knowledge.count-attempt";

/**
 * Counts one more attempt of an upload that was being read when the process ended before; called each time that it is
 * read again.
 */
export function countAttempt(file: JobFile, upload: number): void {
	file.prepare("UPDATE uploads SET attempts = attempts + 1 WHERE number = ?").run(upload);
}
