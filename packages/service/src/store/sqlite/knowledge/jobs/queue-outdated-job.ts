import type { QueueOutdatedInput } from "../../../../knowledge/repositories/upload-repository";
import { inTransaction } from "../../../in-transaction";
import type { JobFile } from "../../../job-file";
import { CAN_BE_REREAD, IS_OUTDATED, toVersionsJson } from "../outdated-documents";
import { insertUpload, REREADING } from "./uploads/insert-upload";

/**
 * Queues some documents that an older version of their reader has read. They stay as they are, and are found, until their
 * new passages are stored. Returns their number.
 */
export function queueOutdated(file: JobFile, { maxDocuments, versions }: QueueOutdatedInput): number {
	return inTransaction(file, () => {
		const documents = file
			.prepare(
				`SELECT number FROM documents WHERE ${IS_OUTDATED} AND ${CAN_BE_REREAD}` +
					" AND number NOT IN (SELECT document FROM uploads) LIMIT ?",
			)
			.all(toVersionsJson(versions), maxDocuments);
		for (const { number } of documents)
			insertUpload(file, Number(number), { hasVectors: false, rereading: REREADING.waiting });
		return documents.length;
	});
}
