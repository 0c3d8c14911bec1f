import type { JsonObject, RunError } from "@stemma/core";
import type { PageOptions } from "./page";

/** A set of documents that is searched together. */
export interface KnowledgeBase {
	/** `kb_…` */
	readonly id: string;
	readonly name: string;
	readonly description: string | null;
	/**
	 * Overrides of the model, for questions to this knowledge base alone: `openai-compatible`, `bedrock` or `extractive`, and
	 * a model as its endpoint names it. Saving them needs the scope `settings:write`.
	 */
	readonly llm_provider: string | null;
	readonly llm_model: string | null;
	readonly documents: DocumentCounts;
	readonly passage_count: number;
	/**
	 * Model of the vectors of its passages: pinned when the first of them was stored. `null`: none is stored yet, or
	 * its passages are found by words alone.
	 */
	readonly embedding: { readonly model: string; readonly dimensions: number } | null;
	/** RFC 3339. */
	readonly created_at: string;
	readonly updated_at: string;
}

/** Documents by status. A document that is replaced counts by the status of its new content. */
export interface DocumentCounts {
	readonly total: number;
	readonly queued: number;
	readonly processing: number;
	readonly ready: number;
	readonly failed: number;
}

export interface KnowledgeBaseCreate {
	/** 1 to 200 characters. */
	readonly name: string;
	readonly description?: string | null;
	readonly llm_provider?: string | null;
	readonly llm_model?: string | null;
}

/** Changes to a knowledge base; fields that are left out stay as they are. */
export type KnowledgeBaseUpdate = Partial<KnowledgeBaseCreate>;

/** `queued` → `processing` → `ready` or `failed`. */
export type DocumentStatus = "queued" | "processing" | "ready" | "failed";

export type DocumentFormatName = "markdown" | "text" | "html";

/** A document of a knowledge base. */
export interface KnowledgeDocument {
	/** `doc_…` */
	readonly id: string;
	readonly knowledge_base_id: string;
	/** Title of the document; taken from the text where none was given. */
	readonly title: string;
	/** Source of the document at the uploader (a path, an address): one document for each, within a knowledge base. */
	readonly source: string | null;
	readonly format: DocumentFormatName;
	readonly status: DocumentStatus;
	/** Error of a document that failed; `null` for others. */
	readonly error: RunError | null;
	/** Size of the uploaded bytes. */
	readonly size_bytes: number;
	/** SHA-256 of the uploaded bytes, hexadecimal. */
	readonly content_sha256: string;
	readonly passage_count: number;
	readonly metadata: JsonObject;
	readonly created_at: string;
	readonly updated_at: string;
}

/** A document as text. Files go by multipart. */
export interface DocumentText {
	readonly text: string;
	/** Default: found in the text. */
	readonly title?: string;
	/** Source of the document. An upload with the same source replaces the document's content, under the same id. */
	readonly source?: string;
	/** Default `markdown`. */
	readonly format?: DocumentFormatName;
	readonly metadata?: JsonObject;
}

/** Documents of an upload, in its order. Acknowledged documents are durable. */
export interface DocumentUpload {
	readonly data: readonly KnowledgeDocument[];
}

export interface DocumentListOptions extends PageOptions {
	readonly status?: DocumentStatus;
	readonly source?: string;
}
