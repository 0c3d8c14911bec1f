import type { JobFile } from "../store/jobs";
import { inTransaction } from "./in-transaction";
import { putUpload } from "./put-upload";

export const QUEUE_AGAIN = "knowledge.queue-again";

/** @returns the number of the new upload at the end of the queue; `null` where the upload was deleted or replaced. */
export const queueUploadAgain = (file: JobFile, upload: number): number | null =>
	inTransaction(file, () => queueAgain(file, upload));

/** Inside a transaction. What is half written for the old upload can be swept away. */
export function queueAgain(file: JobFile, upload: number): number | null {
	const row = file.prepare("SELECT document, content FROM uploads WHERE number = ?").get(upload);
	if (row === undefined) return null;
	const { document, content } = row as { readonly document: number; readonly content: Uint8Array };
	file.prepare("UPDATE documents SET status = 'queued' WHERE number = ?").run(document);
	return putUpload(file, document, content, true);
}
