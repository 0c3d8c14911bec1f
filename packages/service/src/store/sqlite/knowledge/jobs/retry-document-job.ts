import type { Selectable } from "kysely";
import type {
	RetryDocumentInput,
	RetryDocumentResult,
} from "../../../../knowledge/repositories/document-repository";
import { inTransaction } from "../../../in-transaction";
import type { JobFile } from "../../../job-file";
import { findKnowledgeBases } from "../find-knowledge-bases";
import type { DocumentTable } from "../knowledge-tables";
import { toDocumentContext } from "./add-documents-job";
import { insertUpload } from "./uploads/insert-upload";

type DocumentRow = Pick<Selectable<DocumentTable>, "number" | "status" | "original_content" | "unread_pages">;

/**
 * Puts a document that failed, or of which pages were not read, into the upload queue again, with the file that is stored.
 * Leaves others as they are.
 */
export function retryDocument(file: JobFile, input: RetryDocumentInput): RetryDocumentResult {
	return inTransaction(file, () => {
		const [knowledgeBase] = findKnowledgeBases(file, [input.knowledgeBase]);
		if (knowledgeBase === undefined) return "no_knowledge_base";
		const row = file
			.prepare<DocumentRow>(
				"SELECT number, status, original_content, unread_pages FROM documents WHERE id = ? AND knowledge_base = ?",
			)
			.get(input.id, knowledgeBase);
		if (row === undefined) return "no_document";
		if (!isIncomplete(row)) return "unchanged";
		if (row.original_content === null) return "no_original";
		const context = toDocumentContext(file, knowledgeBase, input);
		if ("pinned" in context) return context;
		file
			.prepare("UPDATE documents SET status = 'queued', error = NULL, updated_at = ? WHERE number = ?")
			.run(input.now, row.number);
		insertUpload(file, row.number, context);
		return "queued";
	});
}

/** Checks whether reading a document again could add to it. */
export const isIncomplete = ({
	status,
	unread_pages,
}: Pick<DocumentRow, "status" | "unread_pages">): boolean =>
	status === "failed" || (status === "ready" && unread_pages !== null);
