import { inTransaction } from "../../../in-transaction";
import type { JobFile } from "../../../job-file";
import { findKnowledgeBases } from "../find-knowledge-bases";
import { removeDocument } from "./sweep-job";

/** Document to delete; ids. */
export interface DeleteDocumentInput {
	readonly knowledgeBase: string;
	readonly id: string;
}

/** Deletes a document; names what does not exist, if anything is missing. */
export function deleteDocument(
	file: JobFile,
	{ knowledgeBase, id }: DeleteDocumentInput,
): "deleted" | "no_knowledge_base" | "no_document" {
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
