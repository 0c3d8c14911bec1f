import type { EmbeddingSpace } from "@stemma/routing";
import { isPinnedTo } from "../../../../../knowledge/embeddings/pinned-space";
import { describeSpaceChange } from "../../../../../knowledge/embeddings/space-change";
import type { RecoverInput } from "../../../../../knowledge/repositories/upload-repository";
import { inTransaction } from "../../../../in-transaction";
import type { JobFile } from "../../../../job-file";
import { isMoving } from "../../reindex/reindex-rows";
import { readPin, unpinIfEmpty } from "../embedding-pins";
import { failUpload } from "./fail-upload";
import { REREADING } from "./insert-upload";

/** Queues the uploads again that were being read when the process ended; returns the number for the next passage. */
export function recoverUploads(file: JobFile, { space, now }: RecoverInput): number {
	return inTransaction(file, () => {
		file
			.prepare(
				"UPDATE uploads SET attempts = max(attempts, 1) WHERE document IN (SELECT number FROM documents WHERE status = 'processing') OR rereading = ?",
			)
			.run(REREADING.claimed);
		file
			.prepare("UPDATE uploads SET rereading = ? WHERE rereading = ?")
			.run(REREADING.waiting, REREADING.claimed);
		file
			.prepare(
				"UPDATE documents SET status = 'queued' WHERE status = 'processing' AND number IN (SELECT document FROM uploads)",
			)
			.run();
		// Nobody goes on with what is half written.
		file.prepare("UPDATE passage_sweeps SET upload = NULL WHERE upload IS NOT NULL").run();
		for (const row of file.prepare(SELECT_KNOWLEDGE_BASES_WITH_UPLOADS).all())
			reassignUploads(file, Number(row.knowledge_base), space, now);
		const row = file
			.prepare(
				"SELECT max(coalesce((SELECT max(number) FROM passages), 0), coalesce((SELECT max(last) FROM passage_sweeps), 0)) AS last",
			)
			.get();
		return Number(row?.last ?? 0) + 1;
	});
}

const UPLOADS_OF_KNOWLEDGE_BASE =
	"uploads WHERE document IN (SELECT number FROM documents WHERE knowledge_base = ?)";
const SELECT_KNOWLEDGE_BASES_WITH_UPLOADS =
	"SELECT DISTINCT knowledge_base FROM documents WHERE number IN (SELECT document FROM uploads)";

/** The embedding model may be another than when they were uploaded. */
function reassignUploads(
	file: JobFile,
	knowledgeBase: number,
	space: EmbeddingSpace | null,
	now: number,
): void {
	unpinIfEmpty(file, knowledgeBase);
	const pin = readPin(file, knowledgeBase);
	const isMovingNow = isMoving(file, knowledgeBase);
	if (!isMovingNow && pin && !(space && isPinnedTo(pin, space))) {
		const error = describeSpaceChange(pin, space);
		for (const { number } of file
			.prepare(`SELECT number FROM ${UPLOADS_OF_KNOWLEDGE_BASE}`)
			.all(knowledgeBase))
			failUpload(file, Number(number), error, now);
	}
	file
		.prepare(
			`UPDATE uploads SET with_vectors = ? WHERE number IN (SELECT number FROM ${UPLOADS_OF_KNOWLEDGE_BASE})`,
		)
		.run(!isMovingNow && space !== null && pin !== null ? 1 : 0, knowledgeBase);
}
