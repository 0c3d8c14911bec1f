import type { DeleteDocumentInput } from "../../../sqlite/knowledge/jobs/delete-document-job";
import type { PostgresJob } from "../../postgres-job";
import { findKnowledgeBase } from "../find-knowledge-base";
import { removeDocument } from "./remove-document";

/** Deletes a document; names what does not exist, if anything is missing. */
export const deleteDocument: PostgresJob<
	DeleteDocumentInput,
	"deleted" | "no_knowledge_base" | "no_document"
> = async (transaction, { knowledgeBase, id }) => {
	const base = await findKnowledgeBase(transaction, knowledgeBase);
	if (base === undefined) return "no_knowledge_base";
	const row = await transaction
		.selectFrom("documents")
		.select("number")
		.where("id", "=", id)
		.where("knowledge_base", "=", base)
		.executeTakeFirst();
	if (row === undefined) return "no_document";
	await removeDocument(transaction, row.number);
	return "deleted";
};
