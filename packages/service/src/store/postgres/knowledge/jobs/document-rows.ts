import type { NewDocument } from "../../../../knowledge/repositories/document-repository";
import {
	type DocumentContext,
	type DocumentOwner,
	sizeOf,
	toOwnerColumns,
} from "../../../sqlite/knowledge/jobs/document-rows";
import type { WorkspaceTransaction } from "../../workspace-transaction";
import { insertOriginal } from "../content-chunks";
import { replaceContents } from "./replace-contents";
import { insertUpload } from "./upload-rows";

/** Finds how many documents may still be added, of as many as are wanted. Negative: there are too many already. */
export async function findDocumentRoom(
	transaction: WorkspaceTransaction,
	maxDocuments: number,
	wanted: number,
): Promise<number> {
	const { count } = await transaction
		.selectFrom("documents")
		.select(({ fn }) => fn.countAll<number>().as("count"))
		.executeTakeFirstOrThrow();
	return Math.min(wanted, maxDocuments - count);
}

/** Stores the file of a document, to be read. */
async function queueOriginal(
	transaction: WorkspaceTransaction,
	number: number,
	document: NewDocument,
	hasVectors: boolean,
): Promise<void> {
	const original = await insertOriginal(transaction, document.content, document.sha256);
	await replaceContents(transaction, number, { original_content: original });
	await insertUpload(transaction, number, { hasVectors });
}

/**
 * Inserts a document and queues its file to be read.
 *
 * @param owner - left out for what was uploaded.
 * @returns its number.
 */
export async function insertDocument(
	transaction: WorkspaceTransaction,
	{ knowledgeBase, hasVectors, now }: DocumentContext,
	document: NewDocument,
	owner?: DocumentOwner,
): Promise<number> {
	const { id, title, givenTitle, source, format, fileName, content, sha256, metadata } = document;
	const [source_number, source_key, parent] = toOwnerColumns(owner);
	const { number } = await transaction
		.insertInto("documents")
		.values({
			...{ id, knowledge_base: knowledgeBase, title, given_title: givenTitle, source, format },
			...{ file_name: fileName, status: "queued", error: null, size_bytes: sizeOf(content) },
			...{ content_sha256: sha256, metadata: metadata ?? "{}", created_at: now, updated_at: now },
			...{ original_content: null, text_content: null, source_number, source_key, parent },
		})
		.returning("number")
		.executeTakeFirstOrThrow();
	await queueOriginal(transaction, number, document, hasVectors);
	return number;
}

/** Replaces the content of a document, and queues it to be read. Its passages stay until the new ones are stored. */
export async function replaceDocument(
	transaction: WorkspaceTransaction,
	{ hasVectors, now }: DocumentContext,
	number: number,
	document: NewDocument,
): Promise<void> {
	const { title, givenTitle, format, fileName, content, sha256 } = document;
	await transaction
		.updateTable("documents")
		.set({
			...{ title, given_title: givenTitle, format, file_name: fileName, status: "queued", error: null },
			...{ size_bytes: sizeOf(content), content_sha256: sha256, updated_at: now },
		})
		.where("number", "=", number)
		.execute();
	await queueOriginal(transaction, number, document, hasVectors);
}
