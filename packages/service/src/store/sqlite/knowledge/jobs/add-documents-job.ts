import type { DocumentFormatName } from "@stemma/client";
import { isPinnedTo, type PinnedSpace } from "../../../../knowledge/embeddings/pinned-space";
import type { AddDocumentsInput, NewDocument } from "../../../../knowledge/repositories/document-repository";
import { inTransaction } from "../../../in-transaction";
import type { JobFile } from "../../../job-file";
import { findKnowledgeBases } from "../find-knowledge-bases";
import { readPin } from "./embedding-pins";
import { insertUpload } from "./insert-upload";

/** Ids in the order of the documents, or why there are none. */
export type AddedDocuments =
	| { readonly ids: readonly string[] }
	| { readonly pinned: PinnedSpace }
	| "no_knowledge_base"
	| "too_many";

interface ExistingDocument {
	readonly number: number;
	readonly id: string;
	readonly content_sha256: string;
	readonly given_title: string | null;
	readonly format: DocumentFormatName;
	readonly status: string;
}

/** Puts documents into the queue: all of them, or none. */
export function addDocuments(file: JobFile, input: AddDocumentsInput): AddedDocuments {
	try {
		return inTransaction(file, () => {
			const [knowledgeBase] = findKnowledgeBases(file, [input.knowledgeBase]);
			if (knowledgeBase === undefined) return "no_knowledge_base";
			const pin = readPin(file, knowledgeBase);
			if (pin && !(input.space && isPinnedTo(pin, input.space))) return { pinned: pin };
			const context: AddDocumentsContext = {
				knowledgeBase,
				hasVectors: input.space !== null && pin !== null,
				now: input.now,
			};
			const ids = input.documents.map((document) => addDocument(file, context, document));
			assertWithinDocumentLimit(file, input.maxDocuments);
			return { ids };
		});
	} catch (error) {
		if (error instanceof TooManyDocuments) return "too_many";
		throw error;
	}
}

interface AddDocumentsContext {
	/** A number. */
	readonly knowledgeBase: number;
	readonly hasVectors: boolean;
	readonly now: number;
}

/** Takes back the transaction that it is thrown in. */
class TooManyDocuments extends Error {}

/** Counting takes its time; where fewer were ever made there is nothing to count. */
function assertWithinDocumentLimit(file: JobFile, maxDocuments: number): void {
	const last = file.prepare("SELECT max(number) AS last FROM documents").get()?.last;
	if (Number(last ?? 0) <= maxDocuments) return;
	const count = file.prepare("SELECT count(*) AS count FROM documents").get()?.count;
	if (Number(count) > maxDocuments) throw new TooManyDocuments();
}

function addDocument(file: JobFile, context: AddDocumentsContext, document: NewDocument): string {
	const { knowledgeBase, hasVectors, now } = context;
	const existing = findExisting(file, knowledgeBase, document);
	if (existing === undefined) {
		insertUpload(file, insertDocument(file, knowledgeBase, document, now), document.content, hasVectors);
		return document.id;
	}
	if (document.metadata !== null)
		file
			.prepare("UPDATE documents SET metadata = ?, updated_at = ? WHERE number = ?")
			.run(document.metadata, now, existing.number);
	if (needsReading(existing, document)) {
		replaceContent(file, existing.number, document, now);
		insertUpload(file, existing.number, document.content, hasVectors);
	}
	return existing.id;
}

const SELECT_KNOWN =
	"SELECT number, id, content_sha256, given_title, format, status FROM documents WHERE knowledge_base = ?";

function findExisting(
	file: JobFile,
	knowledgeBase: number,
	document: NewDocument,
): ExistingDocument | undefined {
	const { source, sha256 } = document;
	const [condition, value] =
		source === null ? ["content_sha256 = ? AND source IS NULL", sha256] : ["source = ?", source];
	return file.prepare<ExistingDocument>(`${SELECT_KNOWN} AND ${condition}`).get(knowledgeBase, value);
}

/**
 * Checks whether a document must be read. The same content again changes nothing, unless reading it failed: then it is
 * retried.
 */
const needsReading = (existing: ExistingDocument, { sha256, givenTitle, format }: NewDocument): boolean =>
	existing.status === "failed" ||
	existing.content_sha256 !== sha256 ||
	existing.given_title !== givenTitle ||
	existing.format !== format;

const sizeOf = (content: NewDocument["content"]): number =>
	"size" in content ? content.size : content.byteLength;

function insertDocument(file: JobFile, knowledgeBase: number, document: NewDocument, now: number): number {
	const { id, title, givenTitle, source, format, fileName, content, sha256, metadata } = document;
	const { lastInsertRowid } = file
		.prepare(
			"INSERT INTO documents (id, knowledge_base, title, given_title, source, format, file_name, status, size_bytes," +
				" content_sha256, metadata, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, 'queued', ?, ?, ?, ?, ?)",
		)
		.run(
			id,
			knowledgeBase,
			title,
			givenTitle,
			source,
			format,
			fileName,
			sizeOf(content),
			sha256,
			metadata ?? "{}",
			now,
			now,
		);
	return Number(lastInsertRowid);
}

/** Replaces the content of a document. Its passages stay until the new ones are stored. */
function replaceContent(file: JobFile, number: number, document: NewDocument, now: number): void {
	const { title, givenTitle, format, fileName, content, sha256 } = document;
	file
		.prepare(
			"UPDATE documents SET title = ?, given_title = ?, format = ?, file_name = ?, status = 'queued', error = NULL," +
				" size_bytes = ?, content_sha256 = ?, updated_at = ? WHERE number = ?",
		)
		.run(title, givenTitle, format, fileName, sizeOf(content), sha256, now, number);
}
