import type { JobFile } from "../../../../job-file";

/** State of an upload that reads a document again, which stays as it is meanwhile; `claimed` ones are being read. */
export const REREADING = { no: 0, waiting: 1, claimed: 2 } as const;

/** Options of an upload. */
export interface InsertUploadOptions {
	readonly hasVectors: boolean;
	/** Default `REREADING.no`. */
	readonly rereading?: (typeof REREADING)[keyof typeof REREADING];
	/** Attachments are read as part of the text. Default false. */
	readonly keepsAttachments?: boolean;
}

/**
 * Inserts an upload at the end of its queue, in place of an earlier upload for the same document. The document's original
 * is what will be read.
 *
 * @returns its number.
 */
export function insertUpload(
	file: JobFile,
	document: number,
	{ hasVectors, rereading = REREADING.no, keepsAttachments = false }: InsertUploadOptions,
): number {
	file.prepare("DELETE FROM uploads WHERE document = ?").run(document);
	const { lastInsertRowid } = file
		.prepare("INSERT INTO uploads (document, with_vectors, rereading, keeps_attachments) VALUES (?, ?, ?, ?)")
		.run(document, hasVectors ? 1 : 0, rereading, keepsAttachments ? 1 : 0);
	return Number(lastInsertRowid);
}
