import type { JsonObject, RunError } from "@stemma/core";
import type { PageOptions } from "../page";
import type { LimitedAccess, MemberAccess } from "../people/people";

/** A set of documents that is searched together. */
export interface KnowledgeBase {
	/** `kb_…` */
	readonly id: string;
	/** Name within its workspace that graphs, requests and the command line take in place of the id: `handbook`. */
	readonly slug: string;
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
	readonly embedding: PinnedEmbedding | null;
	/** Members who may use it; left out where all may. */
	readonly access?: LimitedAccess;
	/** RFC 3339. */
	readonly created_at: string;
	readonly updated_at: string;
}

/** Embedding model that a knowledge base has vectors of. */
export interface PinnedEmbedding {
	readonly model: string;
	readonly dimensions: number;
	/**
	 * True where questions get vectors of this model. False where the deployment has another embedding model now, or none:
	 * passages are then found by words alone, until the knowledge base is moved.
	 */
	readonly in_use: boolean;
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
	/**
	 * 1 to 64 lower-case letters, digits and single hyphens; no other knowledge base of the workspace has it. Default: made
	 * from the name, with a number behind it where that is taken.
	 */
	readonly slug?: string;
	readonly description?: string | null;
	readonly llm_provider?: string | null;
	readonly llm_model?: string | null;
}

/** Changes to a knowledge base; fields that are left out stay as they are. */
export interface KnowledgeBaseUpdate extends Partial<KnowledgeBaseCreate> {
	/** Members who may use it. */
	readonly access?: MemberAccess;
}

/** `queued` → `processing` → `ready` or `failed`. */
export type DocumentStatus = "queued" | "processing" | "ready" | "failed";

/** Format of a document whose file is text, and that can be sent as the `text` of a JSON upload. */
export type TextFormatName = "markdown" | "text" | "html" | "csv" | "json" | "yaml" | "xml";

/** Format of a document, as it was read. */
export type DocumentFormatName =
	| TextFormatName
	| ExternalFormatName
	| "pdf"
	| "docx"
	| "pptx"
	| "odt"
	| "odp"
	| "rtf"
	| "xlsx"
	| "ods"
	| "eml"
	| "msg"
	| "mhtml"
	| "epub"
	| "image";

/** Format of a document that the service reads by a reader of its operator, whose name is in it. */
export type ExternalFormatName = `reader:${string}`;

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
	/** Source that brought it in, `src_…`; not there for uploads. */
	readonly source_id?: string;
	/**
	 * Pages of a PDF file that show something and whose text was not read, such as scans where no text recognition is
	 * installed, from 1. The first 100 pages without text are looked at. Not there where all were read.
	 */
	readonly unread_pages?: readonly number[];
	/** Name within that source: an address, or a path. */
	readonly source_key?: string;
	/** Mail that it is an attachment of, `doc_…`; not there for others. */
	readonly parent_id?: string;
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
	/** Default `markdown`. Formats that are no text are uploaded as files. */
	readonly format?: TextFormatName;
	readonly metadata?: JsonObject;
}

/** Documents of an upload, in its order. Acknowledged documents are durable. */
export interface DocumentUpload {
	readonly data: readonly KnowledgeDocument[];
}

export interface DocumentListOptions extends PageOptions {
	readonly status?: DocumentStatus;
	readonly source?: string;
	/** Id of the mail whose attachments are listed. */
	readonly parent_id?: string;
}

/** Range of a document's text in UTF-16 code units, as the `place` of a passage has it. */
export interface TextRange {
	/** Default 0. */
	readonly start?: number;
	/** Exclusive. Default: the end of the text. */
	readonly end?: number;
}

/** Text of a document as it was read, or a part of it. */
export interface ReadText {
	readonly text: string;
}

/** Part of a file, in bytes. */
export interface FileRange {
	/** Default 0. */
	readonly start?: number;
	/** Exclusive. Default: the end of the file. */
	readonly end?: number;
}

/**
 * File of a document as it was uploaded. Its bytes are still to be read, once: piece by piece with `for await`, or all at
 * once with `bytes()`. Close it if you do not read it to its end.
 */
export interface DocumentFile extends AsyncIterable<Uint8Array> {
	/** `x-request-id` of the response. */
	readonly requestId: string;
	/** Name to save the file under, without folders. */
	readonly name: string;
	/** Media type that no browser runs: `application/octet-stream` for HTML. */
	readonly type: string;
	/** Number of bytes that are read: of the file, or of the part. */
	readonly size: number;
	/** SHA-256 of the whole file, hexadecimal. */
	readonly sha256: string;
	/** Reads all that is left into memory. */
	bytes(): Promise<Uint8Array>;
	/** Frees the connection. */
	close(): void;
}
