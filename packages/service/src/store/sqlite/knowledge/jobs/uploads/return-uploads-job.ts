import type { ReturnedUpload } from "../../../../../knowledge/repositories/upload-repository";
import { inTransaction } from "../../../../in-transaction";
import type { JobFile } from "../../../../job-file";
import { REREADING } from "./insert-upload";

/** Uploads that were taken wait again: whatever ends the process now, reading them was not at fault. */
export function returnUploads(file: JobFile, uploads: readonly ReturnedUpload[]): void {
	const setAttempts = file.prepare("UPDATE uploads SET attempts = min(attempts, ?) WHERE number = ?");
	const setStatus = file.prepare(
		"UPDATE documents SET status = 'queued' WHERE number IN (SELECT document FROM uploads WHERE number = ? AND rereading = 0)",
	);
	const setWaiting = file.prepare("UPDATE uploads SET rereading = ? WHERE number = ? AND rereading <> ?");
	inTransaction(file, () => {
		for (const { number, attempts } of uploads) {
			setAttempts.run(attempts, number);
			setStatus.run(number);
			setWaiting.run(REREADING.waiting, number, REREADING.no);
		}
	});
}
