import type { RequeuedUpload } from "../../../../../knowledge/repositories/upload-repository";
import { inTransaction } from "../../../../in-transaction";
import type { JobFile } from "../../../../job-file";
import type { UploadTable } from "../../knowledge-tables";
import { insertUpload, REREADING } from "./insert-upload";

/** @returns the number of the new upload at the end of the queue; `null` where the upload was deleted or replaced. */
export const requeueUpload = (file: JobFile, { upload }: RequeuedUpload): number | null =>
	inTransaction(file, () => requeueInTransaction(file, upload));

/** Inside a transaction. What is half written for the old upload can be swept away. */
export function requeueInTransaction(file: JobFile, upload: number): number | null {
	const row = file
		.prepare<Pick<UploadTable, "document">>("SELECT document FROM uploads WHERE number = ?")
		.get(upload);
	if (row === undefined) return null;
	const { document } = row;
	file.prepare("UPDATE documents SET status = 'queued' WHERE number = ?").run(document);
	return insertUpload(file, document, { hasVectors: true });
}

/** Inside a transaction. The upload is read once more, with attachments as part of its text. */
export function requeueWithAttachments(file: JobFile, upload: number): void {
	const row = file
		.prepare<UploadRow>("SELECT document, with_vectors, rereading FROM uploads WHERE number = ?")
		.get(upload);
	if (row === undefined) return;
	const { document, with_vectors, rereading } = row;
	if (rereading === REREADING.no)
		file.prepare("UPDATE documents SET status = 'queued' WHERE number = ?").run(document);
	insertUpload(file, document, {
		hasVectors: with_vectors === 1,
		rereading: rereading === REREADING.no ? REREADING.no : REREADING.waiting,
		keepsAttachments: true,
	});
}

interface UploadRow {
	readonly document: number;
	readonly with_vectors: number;
	readonly rereading: number;
}
