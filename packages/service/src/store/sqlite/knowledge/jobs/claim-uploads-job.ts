import type { ClaimedUpload, ClaimUploadsInput } from "../../../../knowledge/repositories/upload-repository";
import { inTransaction } from "../../../in-transaction";
import type { JobFile } from "../../../job-file";

interface WaitingUpload {
	readonly number: number;
	readonly document: number;
	readonly size: number;
	readonly attempts: number;
}

/** Takes the next uploads from the queue, in their order; they stay in it until their passages are there. */
export function claimUploads(file: JobFile, input: ClaimUploadsInput): readonly ClaimedUpload[] {
	const waiting = file
		.prepare<WaitingUpload>(
			"SELECT number, document, length(content) AS size, attempts FROM uploads" +
				" WHERE with_vectors = ? AND number > ? AND number NOT IN (SELECT value FROM json_each(?))" +
				" ORDER BY number LIMIT ?",
		)
		.all(input.hasVectors ? 1 : 0, input.after, JSON.stringify(input.excluded), input.maxDocuments);
	const claimed = takeWithinBytes(excludeSuspects(waiting), input.maxBytes);
	if (claimed.length === 0) return [];
	return inTransaction(file, () => claimed.map((upload) => claimUpload(file, upload, input.now)));
}

/**
 * Excludes uploads that may have made the process end: an upload that was being read at that time is read alone, so
 * that no other is blamed for it.
 */
function excludeSuspects(waiting: readonly WaitingUpload[]): readonly WaitingUpload[] {
	const poisonIndex = waiting.findIndex(({ attempts }) => attempts > 0);
	return poisonIndex === -1 ? waiting : waiting.slice(0, Math.max(1, poisonIndex));
}

function takeWithinBytes(waiting: readonly WaitingUpload[], maxBytes: number): readonly WaitingUpload[] {
	let bytes = 0;
	return waiting.filter(({ size }, index) => {
		bytes += size;
		return index === 0 || bytes <= maxBytes;
	});
}

function claimUpload(file: JobFile, { number, document }: WaitingUpload, now: number): ClaimedUpload {
	file
		.prepare("UPDATE documents SET status = 'processing', updated_at = ? WHERE number = ?")
		.run(now, document);
	const row = file
		.prepare<ClaimedUpload>(
			"SELECT uploads.number, attempts, content, given_title AS givenTitle, file_name AS fileName, source, format FROM uploads" +
				" JOIN documents ON documents.number = uploads.document WHERE uploads.number = ?",
		)
		.get(number);
	if (row === undefined) throw new Error("An upload is gone while it is claimed.");
	return row;
}
