import type {
	ClaimedUpload,
	ClaimUploadsInput,
} from "../../../../../knowledge/repositories/upload-repository";
import { inUnsyncedTransaction } from "../../../../in-transaction";
import type { JobFile } from "../../../../job-file";
import { readContent } from "../../content-chunks";
import { REREADING } from "./insert-upload";

/** Input of {@link claimUploads}. */
export interface ClaimUploadsJob extends ClaimUploadsInput {
	/** Instance that claims them. Left out for a store of one process. */
	readonly owner?: string;
}

/** Upload that waits in the queue. */
export interface WaitingUpload {
	readonly number: number;
	readonly document: number;
	readonly size: number;
	readonly attempts: number;
	/** Other than 0 where the document stays as it is meanwhile. */
	readonly rereading: number;
}

/**
 * Takes the next uploads from the queue, in their order; they stay in it until their passages are there. A claim that a
 * power failure undoes is made again.
 */
export function claimUploads(file: JobFile, input: ClaimUploadsJob): readonly ClaimedUpload[] {
	const waiting = file
		.prepare<WaitingUpload>(
			"SELECT uploads.number, document, size_bytes AS size, attempts, rereading" +
				" FROM uploads JOIN documents ON documents.number = uploads.document" +
				" WHERE with_vectors = ? AND uploads.number > ?" +
				" AND uploads.number NOT IN (SELECT value FROM json_each(?)) ORDER BY uploads.number LIMIT ?",
		)
		.all(input.hasVectors ? 1 : 0, input.after, JSON.stringify(input.excluded), input.maxDocuments);
	const claimed = takeWithinBytes(excludeSuspects(waiting), input.maxBytes);
	if (claimed.length === 0) return [];
	return inUnsyncedTransaction(file, () => claimed.map((upload) => claimUpload(file, upload, input.now)));
}

/**
 * Excludes uploads that may have made the process end: an upload that was being read at that time is read alone, so
 * that no other is blamed for it.
 */
export function excludeSuspects(waiting: readonly WaitingUpload[]): readonly WaitingUpload[] {
	const poisonIndex = waiting.findIndex(({ attempts }) => attempts > 0);
	return poisonIndex === -1 ? waiting : waiting.slice(0, Math.max(1, poisonIndex));
}

export function takeWithinBytes(
	waiting: readonly WaitingUpload[],
	maxBytes: number,
): readonly WaitingUpload[] {
	let bytes = 0;
	return waiting.filter(({ size }, index) => {
		bytes += size;
		return index === 0 || bytes <= maxBytes;
	});
}

interface UploadRow extends Omit<ClaimedUpload, "content" | "separatesAttachments"> {
	readonly original: number;
	readonly parent: number | null;
	/** 0 or 1. */
	readonly keepsAttachments: number;
}

/** Mails within mails whose attachments become documents of their own; those of deeper ones are part of their text. */
export const MAX_MAIL_DEPTH = 3;

function claimUpload(
	file: JobFile,
	{ number, document, size, rereading }: WaitingUpload,
	now: number,
): ClaimedUpload {
	if (rereading)
		file.prepare("UPDATE uploads SET rereading = ? WHERE number = ?").run(REREADING.claimed, number);
	else
		file
			.prepare("UPDATE documents SET status = 'processing', updated_at = ? WHERE number = ?")
			.run(now, document);
	const row = file
		.prepare<UploadRow>(
			"SELECT uploads.number, attempts, original_content AS original, given_title AS givenTitle, file_name AS fileName, source, format," +
				" parent, keeps_attachments AS keepsAttachments" +
				" FROM uploads JOIN documents ON documents.number = uploads.document WHERE uploads.number = ?",
		)
		.get(number);
	if (row === undefined) throw new Error("An upload is gone while it is claimed.");
	const { original, parent, keepsAttachments, ...upload } = row;
	const separatesAttachments = keepsAttachments === 0 && countAncestors(file, parent) < MAX_MAIL_DEPTH;
	return { ...upload, separatesAttachments, content: readContent(file, original, size) };
}

/** Counts the mails that a document is within. */
function countAncestors(file: JobFile, parent: number | null): number {
	if (parent === null) return 0;
	const row = file
		.prepare<Pick<UploadRow, "parent">>("SELECT parent FROM documents WHERE number = ?")
		.get(parent);
	return 1 + countAncestors(file, row?.parent ?? null);
}
