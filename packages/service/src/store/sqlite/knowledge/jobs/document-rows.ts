import type { NewDocument } from "../../../../knowledge/repositories/document-repository";
import type { JobFile } from "../../../job-file";
import { insertOriginal } from "../content-chunks";
import { replaceContents } from "./replace-contents";
import { insertUpload } from "./uploads/insert-upload";

/** Rows of documents, as uploads and sources write them: one that is not known, or new content of one that is. */
export interface DocumentContext {
	/** A number. */
	readonly knowledgeBase: number;
	readonly hasVectors: boolean;
	readonly now: number;
}

/** Item of a source that a document is of. */
export interface DocumentOrigin {
	/** Number of the source. */
	readonly source: number;
	readonly key: string;
}

/** Origin of a document that was not uploaded: a source, or the number of the mail that it is an attachment of. */
export type DocumentOwner = DocumentOrigin | { readonly parent: number };

/** Takes back the transaction that it is thrown in. */
export class TooManyDocuments extends Error {}

export function assertWithinDocumentLimit(file: JobFile, maxDocuments: number): void {
	if (findDocumentRoom(file, maxDocuments, 0) < 0) throw new TooManyDocuments();
}

/**
 * Finds how many documents may still be added, of as many as are wanted. Negative: there are too many already. Counting takes
 * its time; where fewer were ever made there is nothing to count.
 */
export function findDocumentRoom(file: JobFile, maxDocuments: number, wanted: number): number {
	const last = file.prepare("SELECT max(number) AS last FROM documents").get()?.last;
	if (Number(last ?? 0) + wanted <= maxDocuments) return wanted;
	const count = file.prepare("SELECT count(*) AS count FROM documents").get()?.count;
	return Math.min(wanted, maxDocuments - Number(count));
}

/** Stores the file of a document, to be read. */
function queueOriginal(file: JobFile, number: number, document: NewDocument, hasVectors: boolean): void {
	const original = insertOriginal(file, document.content, document.sha256);
	replaceContents(file, number, { original_content: original });
	insertUpload(file, number, { hasVectors });
}

export const sizeOf = (content: NewDocument["content"]): number =>
	"size" in content ? content.size : content.byteLength;

/**
 * Inserts a document and queues its file to be read.
 *
 * @param owner - left out for what was uploaded.
 * @returns its number.
 */
export function insertDocument(
	file: JobFile,
	{ knowledgeBase, hasVectors, now }: DocumentContext,
	document: NewDocument,
	owner?: DocumentOwner,
): number {
	const { id, title, givenTitle, source, format, fileName, content, sha256, metadata } = document;
	const { lastInsertRowid } = file
		.prepare(
			"INSERT INTO documents (id, knowledge_base, title, given_title, source, format, file_name, status, size_bytes," +
				" content_sha256, metadata, created_at, updated_at, source_number, source_key, parent)" +
				" VALUES (?, ?, ?, ?, ?, ?, ?, 'queued', ?, ?, ?, ?, ?, ?, ?, ?)",
		)
		.run(
			...[id, knowledgeBase, title, givenTitle, source, format, fileName],
			...[sizeOf(content), sha256, metadata ?? "{}", now, now],
			...toOwnerColumns(owner),
		);
	const number = Number(lastInsertRowid);
	queueOriginal(file, number, document, hasVectors);
	return number;
}

/** Replaces the content of a document, and queues it to be read. Its passages stay until the new ones are stored. */
export function replaceDocument(
	file: JobFile,
	{ hasVectors, now }: DocumentContext,
	number: number,
	document: NewDocument,
): void {
	const { title, givenTitle, format, fileName, content, sha256 } = document;
	file
		.prepare(
			"UPDATE documents SET title = ?, given_title = ?, format = ?, file_name = ?, status = 'queued', error = NULL," +
				" size_bytes = ?, content_sha256 = ?, updated_at = ? WHERE number = ?",
		)
		.run(title, givenTitle, format, fileName, sizeOf(content), sha256, now, number);
	queueOriginal(file, number, document, hasVectors);
}

export const toOwnerColumns = (owner: DocumentOwner | undefined) => {
	if (owner === undefined) return [null, null, null] as const;
	return "parent" in owner
		? ([null, null, owner.parent] as const)
		: ([owner.source, owner.key, null] as const);
};
