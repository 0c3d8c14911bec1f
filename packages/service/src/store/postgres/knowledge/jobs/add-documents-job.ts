import { sql } from "kysely";
import { isPinnedTo, type PinnedSpace } from "../../../../knowledge/embeddings/pinned-space";
import type { AddDocumentsInput, NewDocument } from "../../../../knowledge/repositories/document-repository";
import {
	type AddedDocuments,
	type ExistingDocument,
	needsReading,
} from "../../../sqlite/knowledge/jobs/add-documents-job";
import type { DocumentContext } from "../../../sqlite/knowledge/jobs/document-rows";
import { ownRows } from "../../own-rows-plugin";
import type { PostgresJob } from "../../postgres-job";
import type { WorkspaceTransaction } from "../../workspace-transaction";
import { findKnowledgeBase } from "../find-knowledge-base";
import { isMoving } from "../reindex/reindex-rows";
import { findDocumentRoom, insertDocument, replaceDocument } from "./document-rows";
import { readPin } from "./embedding-pins";

/** Finds out how documents are stored now, or the space that the knowledge base is pinned to in place of today's. */
export async function toDocumentContext(
	transaction: WorkspaceTransaction,
	knowledgeBase: number,
	{ space, now }: Pick<AddDocumentsInput, "space" | "now">,
): Promise<DocumentContext | { readonly pinned: PinnedSpace }> {
	if (await isMoving(transaction, knowledgeBase)) return { knowledgeBase, hasVectors: false, now };
	const pin = await readPin(transaction, knowledgeBase);
	if (pin && !(space && isPinnedTo(pin, space))) return { pinned: pin };
	return { knowledgeBase, hasVectors: space !== null && pin !== null, now };
}

const SAVEPOINT = "documents_added";

/** Puts documents into the queue: all of them, or none. */
export const addDocuments: PostgresJob<AddDocumentsInput, AddedDocuments> = async (transaction, input) => {
	const knowledgeBase = await findKnowledgeBase(transaction, input.knowledgeBase);
	if (knowledgeBase === undefined) return "no_knowledge_base";
	const context = await toDocumentContext(transaction, knowledgeBase, input);
	if ("pinned" in context) return context;
	await sql`savepoint ${sql.raw(SAVEPOINT)}`.execute(transaction);
	const ids: string[] = [];
	for (const document of input.documents) ids.push(await addDocument(transaction, context, document));
	if ((await findDocumentRoom(transaction, input.maxDocuments, 0)) >= 0) return { ids };
	await sql`rollback to savepoint ${sql.raw(SAVEPOINT)}`.execute(transaction);
	return "too_many";
};

async function addDocument(
	transaction: WorkspaceTransaction,
	context: DocumentContext,
	document: NewDocument,
): Promise<string> {
	const existing = await findExisting(transaction, context.knowledgeBase, document);
	if (existing === undefined) {
		await insertDocument(transaction, context, document);
		return document.id;
	}
	if (document.metadata !== null)
		await updateMetadata(transaction, existing.number, document.metadata, context.now);
	if (needsReading(existing, document))
		await replaceDocument(transaction, context, existing.number, document);
	return existing.id;
}

/** Attachments have the metadata of their mail. */
async function updateMetadata(
	transaction: WorkspaceTransaction,
	number: number,
	metadata: string,
	now: number,
): Promise<void> {
	await sql`
		with recursive family (number) as (
			values (${number}::bigint)
			union all
			select documents.number from documents join family on documents.parent = family.number where ${ownRows("documents")}
		)
		update documents set metadata = ${metadata}, updated_at = ${now}
		where ${ownRows("documents")} and number in (select number from family)`.execute(transaction);
}

/** Finds the upload that a document replaces: never one that a source brought in, nor an attachment. */
function findExisting(
	transaction: WorkspaceTransaction,
	knowledgeBase: number,
	{ source, sha256 }: NewDocument,
): Promise<ExistingDocument | undefined> {
	const query = transaction
		.selectFrom("documents")
		.select(["number", "id", "content_sha256", "given_title", "format", "status"])
		.select(["original_content", "text_content"])
		.where("knowledge_base", "=", knowledgeBase)
		.where("source_number", "is", null)
		.where("parent", "is", null);
	return (
		source === null
			? query.where("content_sha256", "=", sha256).where("source", "is", null)
			: query.where("source", "=", source)
	).executeTakeFirst();
}
