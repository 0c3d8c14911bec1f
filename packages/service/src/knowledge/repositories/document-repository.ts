import type { DocumentFormatName, DocumentStatus, KnowledgeDocument } from "@stemma/client";
import type { JsonObject, Place } from "@stemma/core";
import type { EmbeddingSpace } from "@stemma/routing";
import type { PageRequest } from "../../pagination";
import type { SpooledContent } from "../../store/data-folder/spool";
import type { PinnedSpace } from "../embeddings/pinned-space";

/** Documents to put into the upload queue, all or none. */
export interface AddDocumentsInput {
	/** An id. */
	readonly knowledgeBase: string;
	readonly documents: readonly NewDocument[];
	/** Maximum documents of the workspace. */
	readonly maxDocuments: number;
	/** Space that vectors are created in now; `null`: none are created. */
	readonly space: EmbeddingSpace | null;
	readonly now: number;
}

export interface NewDocument {
	/** Taken only if the document is new. */
	readonly id: string;
	readonly givenTitle: string | null;
	/** Title until the document is read. */
	readonly title: string;
	readonly source: string | null;
	readonly format: DocumentFormatName;
	readonly fileName: string | null;
	/** Content of the document. Spooled content is read where it is stored, one document at a time. */
	readonly content: Uint8Array | SpooledContent;
	readonly sha256: string;
	/** JSON; `null` leaves that of a known document. */
	readonly metadata: string | null;
}

/** Document as it is stored; times are epoch milliseconds. */
export interface StoredDocument
	extends Omit<KnowledgeDocument, "knowledge_base_id" | "created_at" | "updated_at"> {
	readonly created_at: number;
	readonly updated_at: number;
}

/**
 * Documents in the order of the input, or why there are none. `pinned`: the knowledge base is pinned to another space than
 * that of the input.
 */
export type AddDocumentsResult =
	| { readonly documents: readonly StoredDocument[] }
	| { readonly pinned: PinnedSpace }
	| "no_knowledge_base"
	| "too_many";

/** Document to read again; ids. */
export interface RetryDocumentInput extends Pick<AddDocumentsInput, "knowledgeBase" | "space" | "now"> {
	readonly id: string;
}

/**
 * `unchanged`: the document has neither failed nor pages that were not read. `pinned`: the knowledge base is pinned to another space than that of the input.
 */
export type RetryDocumentResult =
	| "queued"
	| "unchanged"
	| "no_knowledge_base"
	| "no_document"
	| "no_original"
	| { readonly pinned: PinnedSpace };

/** Part of a list, and filters of its documents. */
export interface DocumentListOptions extends PageRequest {
	readonly status?: DocumentStatus | undefined;
	readonly source?: string | undefined;
	/** Id of the mail whose attachments are listed. */
	readonly parent_id?: string | undefined;
}

/** Text that a document shows: all of its passages from the first on, or the one that was asked for. */
export interface DocumentText {
	readonly knowledge_base_id: string;
	readonly title: string;
	readonly source: string | null;
	readonly metadata: JsonObject;
	readonly status: DocumentStatus;
	/** Number of passages of the document. */
	readonly passage_count: number;
	readonly passages: readonly StoredPassage[];
}

export interface StoredPassage {
	readonly place: Place;
	readonly text: string;
}

/** Documents of one workspace. Those of knowledge bases that were deleted are no more. */
export interface DocumentRepository {
	/**
	 * Puts documents into the upload queue, all or none. One that is known by its source, or else by its content, is
	 * replaced, and keeps its passages until it is read.
	 */
	add(input: AddDocumentsInput): Promise<AddDocumentsResult>;
	/** Lists documents by id, at most `limit`. */
	list(
		knowledgeBase: string,
		options: DocumentListOptions,
	): Promise<readonly StoredDocument[] | "no_knowledge_base">;
	find(knowledgeBase: string, id: string): Promise<StoredDocument | "no_knowledge_base" | "no_document">;
	/**
	 * Finds the text of a document, at one moment.
	 *
	 * @param ordinal - place of the one passage that is wanted, from 0; left out: all, at most `limit`.
	 */
	findText(id: string, limit: number, ordinal?: number): Promise<DocumentText | undefined>;
	/** Puts a document that failed, or of which pages were not read, into the upload queue again, with the file that is stored. */
	retry(input: RetryDocumentInput): Promise<RetryDocumentResult>;
	/** Deletes a document with its attachments, which are found no more at once; their passages are swept away later. */
	delete(knowledgeBase: string, id: string): Promise<"deleted" | "no_knowledge_base" | "no_document">;
}
