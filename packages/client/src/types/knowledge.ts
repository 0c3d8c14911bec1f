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
	 * What made the vectors of its passages: pinned when the first of them was stored. `null`: none is stored yet, or they
	 * are found by words alone.
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

/** What is left out stays as it is. */
export type KnowledgeBaseUpdate = Partial<KnowledgeBaseCreate>;

/** `queued` → `processing` → `ready` or `failed`. */
export type DocumentStatus = "queued" | "processing" | "ready" | "failed";

export type DocumentFormatName = "markdown" | "text" | "html";

/** A document of a knowledge base. */
export interface KnowledgeDocument {
	/** `doc_…` */
	readonly id: string;
	readonly knowledge_base_id: string;
	/** What it is called; found in the text where none was given. */
	readonly title: string;
	/** Where the uploader has it from (a path, an address): one document for each, within a knowledge base. */
	readonly source: string | null;
	readonly format: DocumentFormatName;
	readonly status: DocumentStatus;
	/** Why it failed. */
	readonly error: RunError | null;
	/** Of the uploaded bytes. */
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
	/** The same source again replaces the document's content, under the same id. */
	readonly source?: string;
	/** Default `markdown`. */
	readonly format?: DocumentFormatName;
	readonly metadata?: JsonObject;
}

/** What became of an upload, in its order. Acknowledged documents are durable. */
export interface DocumentUpload {
	readonly data: readonly KnowledgeDocument[];
}

export interface DocumentListOptions extends PageOptions {
	readonly status?: DocumentStatus;
	readonly source?: string;
}
