import { inTransaction } from "../../in-transaction";
import type { JobFile } from "../../job-file";
import { removeDocument } from "../knowledge/jobs/sweep-job";

/** Maximum that one transaction sweeps, so that other work need not wait long. */
const DOCUMENTS_PER_SWEEP = 200;
const ITEMS_PER_SWEEP = 1000;

interface DeletedSource {
	readonly number: number;
	/** 0 or 1. */
	readonly keeps_documents: number;
}

/** Sweeps away some of what deleted sources, and sources of deleted knowledge bases, hold. Tells whether there is more. */
export const sweepSources = (file: JobFile, _: object): boolean =>
	inTransaction(file, () => {
		const source = file
			.prepare<DeletedSource>(
				"SELECT sources.number, keeps_documents FROM sources" +
					" LEFT JOIN knowledge_bases ON knowledge_bases.number = sources.knowledge_base" +
					" WHERE sources.deleted_at IS NOT NULL OR knowledge_bases.deleted_at IS NOT NULL OR knowledge_bases.number IS NULL LIMIT 1",
			)
			.get();
		if (source === undefined) return false;
		if (!sweepDocuments(file, source) && !sweepItems(file, source)) {
			file.prepare("DELETE FROM source_syncs WHERE source = ?").run(source.number);
			file.prepare("DELETE FROM sources WHERE number = ?").run(source.number);
		}
		return true;
	});

function sweepDocuments(file: JobFile, { number, keeps_documents }: DeletedSource): boolean {
	const documents = file
		.prepare<{ number: number }>("SELECT number FROM documents WHERE source_number = ? LIMIT ?")
		.all(number, DOCUMENTS_PER_SWEEP);
	for (const document of documents)
		if (keeps_documents === 1) keepDocument(file, document.number);
		else removeDocument(file, document.number);
	return documents.length > 0;
}

/**
 * Makes an upload of a document. Where an upload has its `source` already, it has none; where an upload without one has its
 * content, that one stays in its place.
 */
function keepDocument(file: JobFile, number: number): void {
	const keep = "UPDATE OR IGNORE documents SET source_number = NULL, source_key = NULL";
	for (const change of [keep, `${keep}, source = NULL`])
		if (Number(file.prepare(`${change} WHERE number = ?`).run(number).changes) > 0) return;
	removeDocument(file, number);
}

const sweepItems = (file: JobFile, { number }: DeletedSource): boolean =>
	Number(
		file
			.prepare(
				"DELETE FROM source_items WHERE source = ? AND key IN (SELECT key FROM source_items WHERE source = ? LIMIT ?)",
			)
			.run(number, number, ITEMS_PER_SWEEP).changes,
	) > 0;
