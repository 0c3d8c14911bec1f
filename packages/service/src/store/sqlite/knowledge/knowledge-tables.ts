import type { DocumentFormatName, DocumentStatus } from "@stemma/client";
import type { JsonObject, RunError } from "@stemma/core";
import type { Generated } from "kysely";
import type { JsonColumn } from "../../json-column";
import type { PinColumn } from "./jobs/embedding-pins";
import { passageVectorsSql } from "./search/passage-vectors";
import { wordIndexesSql } from "./search/word-index";

/** The tables of a workspace that hold its knowledge. Times are epoch milliseconds. */
export interface KnowledgeTables {
	knowledge_bases: KnowledgeBaseTable;
	documents: DocumentTable;
	uploads: UploadTable;
	passages: PassageTable;
	passage_sweeps: PassageSweepTable;
}

export interface KnowledgeBaseTable {
	number: Generated<number>;
	/** `kb_…` */
	id: string;
	name: string;
	description: string | null;
	llm_provider: string | null;
	llm_model: string | null;
	/** An `EmbeddingPin` as JSON; null as long as nothing is indexed. */
	embedding: Generated<PinColumn>;
	/** Number of passages of all documents. */
	passage_count: Generated<number>;
	created_at: number;
	updated_at: number;
	/** Set on deletion: nobody sees it any more, and what it holds is swept away after that. */
	deleted_at: number | null;
}

/** A document shows the passages from `first_passage` on, `passage_count` of them, and no others. */
export interface DocumentTable {
	number: Generated<number>;
	/** `doc_…` */
	id: string;
	/** A number, not an id. */
	knowledge_base: number;
	title: string;
	given_title: string | null;
	source: string | null;
	format: DocumentFormatName;
	file_name: string | null;
	status: DocumentStatus;
	/** A `RunError` as JSON. */
	error: JsonColumn<RunError> | null;
	size_bytes: number;
	content_sha256: string;
	first_passage: Generated<number>;
	passage_count: Generated<number>;
	/** JSON. */
	metadata: JsonColumn<JsonObject>;
	created_at: number;
	updated_at: number;
}

/** Queue of uploads that have not been read yet. A new upload for a document gets a new number. */
export interface UploadTable {
	number: Generated<number>;
	document: number;
	content: Uint8Array;
	/** Number of times that reading the upload was started. */
	attempts: Generated<number>;
	/** 0 or 1: whether its passages are to have vectors. */
	with_vectors: number;
}

export interface PassageTable {
	number: number;
	document: number;
	page: number | null;
	heading: string | null;
	start_offset: number;
	end_offset: number;
	text: string;
}

/** Passages that no document shows. */
export interface PassageSweepTable {
	first: number;
	knowledge_base: number;
	/** Inclusive. */
	last: number;
	/**
	 * Upload that the passages belong to: while it is in the queue, the document will show them once all are stored.
	 */
	upload: number | null;
}

/** The tables above, and the vectors and word indexes of the passages. */
export const knowledgeTablesSql = `
CREATE TABLE knowledge_bases (
	number INTEGER PRIMARY KEY AUTOINCREMENT,
	id TEXT NOT NULL UNIQUE,
	name TEXT NOT NULL,
	description TEXT,
	llm_provider TEXT,
	llm_model TEXT,
	embedding TEXT,
	passage_count INTEGER NOT NULL DEFAULT 0,
	created_at INTEGER NOT NULL,
	updated_at INTEGER NOT NULL,
	deleted_at INTEGER
) STRICT;

CREATE TABLE documents (
	number INTEGER PRIMARY KEY AUTOINCREMENT,
	id TEXT NOT NULL UNIQUE,
	knowledge_base INTEGER NOT NULL REFERENCES knowledge_bases (number),
	title TEXT NOT NULL,
	given_title TEXT,
	source TEXT,
	format TEXT NOT NULL,
	file_name TEXT,
	status TEXT NOT NULL,
	error TEXT,
	size_bytes INTEGER NOT NULL,
	content_sha256 TEXT NOT NULL,
	first_passage INTEGER NOT NULL DEFAULT 0,
	passage_count INTEGER NOT NULL DEFAULT 0,
	metadata TEXT NOT NULL,
	created_at INTEGER NOT NULL,
	updated_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX documents_by_source ON documents (knowledge_base, source) WHERE source IS NOT NULL;
CREATE UNIQUE INDEX documents_by_content ON documents (knowledge_base, content_sha256) WHERE source IS NULL;
CREATE INDEX documents_by_knowledge_base ON documents (knowledge_base, id);
CREATE INDEX documents_by_status ON documents (knowledge_base, status, id);

CREATE TABLE uploads (
	number INTEGER PRIMARY KEY AUTOINCREMENT,
	document INTEGER NOT NULL UNIQUE REFERENCES documents (number),
	attempts INTEGER NOT NULL DEFAULT 0,
	with_vectors INTEGER NOT NULL,
	content BLOB NOT NULL
) STRICT;
CREATE INDEX uploads_by_kind ON uploads (with_vectors, number);

CREATE TABLE passages (
	number INTEGER PRIMARY KEY,
	document INTEGER NOT NULL,
	page INTEGER,
	heading TEXT,
	start_offset INTEGER NOT NULL,
	end_offset INTEGER NOT NULL,
	text TEXT NOT NULL
) STRICT;

CREATE TABLE passage_sweeps (
	first INTEGER PRIMARY KEY,
	last INTEGER NOT NULL,
	knowledge_base INTEGER NOT NULL,
	upload INTEGER
) STRICT;
${passageVectorsSql}
${wordIndexesSql}
`;
