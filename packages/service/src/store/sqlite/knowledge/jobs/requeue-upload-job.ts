import { inTransaction } from "../../../in-transaction";
import type { JobFile } from "../../../job-file";
import type { UploadTable } from "../knowledge-tables";
import { insertUpload } from "./insert-upload";

/** @returns the number of the new upload at the end of the queue; `null` where the upload was deleted or replaced. */
export const requeueUpload = (file: JobFile, upload: number): number | null =>
	inTransaction(file, () => requeueInTransaction(file, upload));

/** Inside a transaction. What is half written for the old upload can be swept away. */
export function requeueInTransaction(file: JobFile, upload: number): number | null {
	const row = file
		.prepare<Pick<UploadTable, "document" | "content">>(
			"SELECT document, content FROM uploads WHERE number = ?",
		)
		.get(upload);
	if (row === undefined) return null;
	const { document, content } = row;
	file.prepare("UPDATE documents SET status = 'queued' WHERE number = ?").run(document);
	return insertUpload(file, document, content, true);
}
