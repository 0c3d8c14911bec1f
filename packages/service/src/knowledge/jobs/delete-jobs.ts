import { inTransaction } from "../../store/in-transaction";
import type { JobFile } from "../../store/job-file";
import { findKnowledgeBases } from "../find-knowledge-bases";
import { removeDocument } from "./sweep-job";

/** Knowledge base to delete: hidden at once, removed from the disk later. */
export interface DeleteKnowledgeBaseInput {
	readonly id: string;
	readonly now: number;
}

/**
 * Deletes a knowledge base: it is hidden at once, and its content is swept away later. False where it does not exist.
 */
export function deleteKnowledgeBase(file: JobFile, { id, now }: DeleteKnowledgeBaseInput): boolean {
	const { changes } = file
		.prepare("UPDATE knowledge_bases SET deleted_at = ? WHERE id = ? AND deleted_at IS NULL")
		.run(now, id);
	return changes > 0;
}

export interface DeleteDocumentInput {
	readonly id: string;
	/** An id. */
	readonly knowledgeBase: string;
}

/** Result of deleting a document; names what does not exist, if anything is missing. */
export type DeleteDocumentResult = "deleted" | "no_knowledge_base" | "no_document";

export function deleteDocument(
	file: JobFile,
	{ id, knowledgeBase }: DeleteDocumentInput,
): DeleteDocumentResult {
	return inTransaction(file, () => {
		const [base] = findKnowledgeBases(file, [knowledgeBase]);
		if (base === undefined) return "no_knowledge_base";
		const row = file
			.prepare("SELECT number FROM documents WHERE id = ? AND knowledge_base = ?")
			.get(id, base);
		if (row === undefined) return "no_document";
		removeDocument(file, Number(row.number));
		return "deleted";
	});
}
