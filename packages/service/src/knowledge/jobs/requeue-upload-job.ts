import { inTransaction } from "../../store/in-transaction";
import type { JobFile } from "../../store/job-file";
import { insertUpload } from "./insert-upload";

/** Name of the job that moves an upload to the end of the queue of uploads with vectors. */
export const REQUEUE_UPLOAD = "knowledge.requeue-upload";

/** @returns the number of the new upload at the end of the queue; `null` where the upload was deleted or replaced. */
export const requeueUpload = (file: JobFile, upload: number): number | null =>
	inTransaction(file, () => requeueInTransaction(file, upload));

/** Inside a transaction. What is half written for the old upload can be swept away. */
export function requeueInTransaction(file: JobFile, upload: number): number | null {
	const row = file.prepare("SELECT document, content FROM uploads WHERE number = ?").get(upload);
	if (row === undefined) return null;
	const { document, content } = row as { readonly document: number; readonly content: Uint8Array };
	file.prepare("UPDATE documents SET status = 'queued' WHERE number = ?").run(document);
	return insertUpload(file, document, content, true);
}
