import type { DocumentFormatName } from "@stemma/client";
import { isPinnedTo, type PinnedSpace } from "../../../../knowledge/embeddings/pinned-space";
import type { AddDocumentsInput, NewDocument } from "../../../../knowledge/repositories/document-repository";
import { inTransaction } from "../../../in-transaction";
import type { JobFile } from "../../../job-file";
import { findKnowledgeBases } from "../find-knowledge-bases";
import { isMoving } from "../reindex/reindex-rows";
import {
	assertWithinDocumentLimit,
	type DocumentContext,
	insertDocument,
	replaceDocument,
	TooManyDocuments,
} from "./document-rows";
import { readPin } from "./embedding-pins";

/** Ids in the order of the documents, or why there are none. */
export type AddedDocuments =
	| { readonly ids: readonly string[] }
	| { readonly pinned: PinnedSpace }
	| "no_knowledge_base"
	| "too_many";

/** Document that is known by its source or content. */
export interface ExistingDocument {
	readonly number: number;
	readonly id: string;
	readonly content_sha256: string;
	readonly given_title: string | null;
	readonly format: DocumentFormatName;
	readonly status: string;
	readonly original_content: number | null;
	readonly text_content: number | null;
}

/** Finds out how documents are stored now, or the space that the knowledge base is pinned to in place of today's. */
export function toDocumentContext(
	file: JobFile,
	knowledgeBase: number,
	{ space, now }: Pick<AddDocumentsInput, "space" | "now">,
): DocumentContext | { readonly pinned: PinnedSpace } {
	if (isMoving(file, knowledgeBase)) return { knowledgeBase, hasVectors: false, now };
	const pin = readPin(file, knowledgeBase);
	if (pin && !(space && isPinnedTo(pin, space))) return { pinned: pin };
	return { knowledgeBase, hasVectors: space !== null && pin !== null, now };
}

/** Puts documents into the queue: all of them, or none. */
export function addDocuments(file: JobFile, input: AddDocumentsInput): AddedDocuments {
	try {
		return inTransaction(file, () => {
			const [knowledgeBase] = findKnowledgeBases(file, [input.knowledgeBase]);
			if (knowledgeBase === undefined) return "no_knowledge_base";
			const context = toDocumentContext(file, knowledgeBase, input);
			if ("pinned" in context) return context;
			const ids = input.documents.map((document) => addDocument(file, context, document));
			assertWithinDocumentLimit(file, input.maxDocuments);
			return { ids };
		});
	} catch (error) {
		if (error instanceof TooManyDocuments) return "too_many";
		throw error;
	}
}

function addDocument(file: JobFile, context: DocumentContext, document: NewDocument): string {
	const existing = findExisting(file, context.knowledgeBase, document);
	if (existing === undefined) {
		insertDocument(file, context, document);
		return document.id;
	}
	if (document.metadata !== null)
		file.prepare(UPDATE_METADATA).run(existing.number, document.metadata, context.now);
	if (needsReading(existing, document)) replaceDocument(file, context, existing.number, document);
	return existing.id;
}

/** Attachments have the metadata of their mail. */
const UPDATE_METADATA =
	"WITH RECURSIVE family (number) AS (" +
	"VALUES (?) UNION ALL SELECT documents.number FROM documents JOIN family ON documents.parent = family.number)" +
	" UPDATE documents SET metadata = ?, updated_at = ? WHERE number IN (SELECT number FROM family)";

const SELECT_KNOWN =
	"SELECT number, id, content_sha256, given_title, format, status, original_content, text_content FROM documents" +
	" WHERE knowledge_base = ? AND source_number IS NULL AND parent IS NULL";

/** Finds the upload that a document replaces: never one that a source brought in, nor an attachment. */
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
 * retried. Neither file nor text of what an earlier version has read is stored.
 */
export const needsReading = (
	existing: ExistingDocument,
	{ sha256, givenTitle, format }: NewDocument,
): boolean =>
	existing.status === "failed" ||
	(existing.original_content === null && existing.text_content === null) ||
	existing.content_sha256 !== sha256 ||
	existing.given_title !== givenTitle ||
	existing.format !== format;
