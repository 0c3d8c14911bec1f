import type { NewDocument } from "../../../../knowledge/repositories/document-repository";
import {
	type DocumentContext,
	type DocumentOwner,
	sizeOf,
	toOwnerColumns,
} from "../../../sqlite/knowledge/jobs/document-rows";
import { type ColumnTypes, insertRows, takeNumbers } from "../../connection/row-arrays";
import type { WorkspaceTransaction } from "../../workspace-transaction";
import type { CompressedOriginals } from "../compressed-originals";
import { insertOriginals } from "../content-chunks";
import { replaceContents } from "./replace-contents";
import { insertUpload, insertUploads } from "./uploads/upload-rows";

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

/** Document that is new, with what it is of where it was not uploaded. */
export interface AddedDocument {
	readonly document: NewDocument;
	/** Left out for what was uploaded. */
	readonly owner?: DocumentOwner;
}

const DOCUMENT_TYPES = {
	...{ number: "bigint", id: "text", knowledge_base: "bigint", title: "text", given_title: "text" },
	...{ source: "text", format: "text", file_name: "text", status: "text", size_bytes: "bigint" },
	...{ content_sha256: "text", metadata: "text", created_at: "bigint", updated_at: "bigint" },
	...{ original_content: "bigint", source_number: "bigint", source_key: "text", parent: "bigint" },
} satisfies ColumnTypes<string>;

/** Context of storing documents, with those of their files that are compressed already. */
export interface StoringContext extends DocumentContext {
	readonly originals?: CompressedOriginals;
}

/** Inserts documents and queues their files to be read, in their order. @returns their numbers. */
export async function insertDocuments(
	transaction: WorkspaceTransaction,
	{ knowledgeBase, hasVectors, now, originals: ahead }: StoringContext,
	added: readonly AddedDocument[],
): Promise<readonly number[]> {
	if (added.length === 0) return [];
	const documents = added.map(({ document }) => document);
	const [numbers, originals] = await Promise.all([
		takeNumbers(transaction, "documents", added.length),
		insertOriginals(transaction, documents, ahead),
	]);
	const rows = added.map(({ document, owner }, index) => {
		const { id, title, givenTitle, source, format, fileName, content, sha256, metadata } = document;
		const [source_number, source_key, parent] = toOwnerColumns(owner);
		return {
			...{ number: numbers[index], original_content: originals[index], status: "queued" },
			...{ id, knowledge_base: knowledgeBase, title, given_title: givenTitle, source, format },
			...{ file_name: fileName, size_bytes: sizeOf(content), content_sha256: sha256 },
			...{ metadata: metadata ?? "{}", created_at: now, updated_at: now },
			...{ source_number, source_key, parent },
		};
	});
	await Promise.all([
		insertRows(transaction, "documents", DOCUMENT_TYPES, rows),
		insertUploads(transaction, numbers, hasVectors),
	]);
	return numbers;
}

/** Inserts one document; see {@link insertDocuments}. @returns its number. */
export async function insertDocument(
	transaction: WorkspaceTransaction,
	context: StoringContext,
	document: NewDocument,
	owner?: DocumentOwner,
): Promise<number> {
	const [number = 0] = await insertDocuments(transaction, context, [
		{ document, ...(owner !== undefined && { owner }) },
	]);
	return number;
}

/** Replaces the content of a document, and queues it to be read. Its passages stay until the new ones are stored. */
export async function replaceDocument(
	transaction: WorkspaceTransaction,
	{ hasVectors, now, originals }: StoringContext,
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
	const [original = null] = await insertOriginals(transaction, [document], originals);
	await replaceContents(transaction, number, { original_content: original });
	await insertUpload(transaction, number, { hasVectors });
}
