import type {
	RetryDocumentInput,
	RetryDocumentResult,
} from "../../../../knowledge/repositories/document-repository";
import { isIncomplete } from "../../../sqlite/knowledge/jobs/retry-document-job";
import type { PostgresJob } from "../../postgres-job";
import { findKnowledgeBase } from "../find-knowledge-base";
import { toDocumentContext } from "./add-documents-job";
import { insertUpload } from "./uploads/upload-rows";

/**
 * Puts a document that failed, or of which pages were not read, into the upload queue again, with the file that is stored.
 * Leaves others as they are.
 */
export const retryDocument: PostgresJob<RetryDocumentInput, RetryDocumentResult> = async (
	transaction,
	input,
) => {
	const knowledgeBase = await findKnowledgeBase(transaction, input.knowledgeBase);
	if (knowledgeBase === undefined) return "no_knowledge_base";
	const row = await transaction
		.selectFrom("documents")
		.select(["number", "status", "original_content", "unread_pages"])
		.where("id", "=", input.id)
		.where("knowledge_base", "=", knowledgeBase)
		.executeTakeFirst();
	if (row === undefined) return "no_document";
	if (!isIncomplete(row)) return "unchanged";
	if (row.original_content === null) return "no_original";
	const context = await toDocumentContext(transaction, knowledgeBase, input);
	if ("pinned" in context) return context;
	await transaction
		.updateTable("documents")
		.set({ status: "queued", error: null, updated_at: input.now })
		.where("number", "=", row.number)
		.execute();
	await insertUpload(transaction, row.number, context);
	return "queued";
};
