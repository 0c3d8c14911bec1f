import type { DocumentFormatName, DocumentStatus } from "@stemma/client";
import type { JsonObject, RunError } from "@stemma/core";
import type { FilePlace } from "@stemma/documents";
import type { Generated } from "kysely";
import type { JsonColumn } from "../../json-column";
import type { PinColumn } from "./jobs/embedding-pins";
import { passageVectorsSql } from "./search/passage-vectors";
import type { WordMergeTable } from "./search/word-merges";

/** The tables of a workspace that hold its knowledge. Times are epoch milliseconds. */
export interface KnowledgeTables {
	knowledge_bases: KnowledgeBaseTable;
	documents: DocumentTable;
	uploads: UploadTable;
	passages: PassageTable;
	passage_sweeps: PassageSweepTable;
	word_index_moves: WordIndexMoveTable;
	word_merges: WordMergeTable;
}

export interface KnowledgeBaseTable {
	number: Generated<number>;
	/** `kb_…` */
	id: string;
	/** Unique among those that are not deleted. */
	slug: string;
	name: string;
	description: string | null;
	llm_provider: string | null;
	llm_model: string | null;
	/** Ids of the users who may use it, as JSON; null for all members. */
	access: Generated<string | null>;
	/** An `EmbeddingPin` as JSON; null as long as nothing is indexed. */
	embedding: Generated<PinColumn>;
	/** Number of passages of all documents. */
	passage_count: Generated<number>;
	/** 0 or 1: whether its word index was created. */
	has_word_index: Generated<number>;
	/** Pair of tables with its vectors; see `vector-slots`. */
	vector_slot: Generated<0 | 1>;
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
	/** Number of the content that was uploaded last; null where it is not stored. */
	original_content: number | null;
	/**
	 * Number of the content that its passages are of, as UTF-8: that of a file, or of a text that was extracted from it.
	 * Null as long as none was read, and where it is not stored.
	 */
	text_content: number | null;
	/** Version of the reader of its format that read it last; see `READER_VERSIONS`. */
	reader_version: Generated<number>;
	/** Number of the source that brought it in; null for uploads. */
	source_number: number | null;
	/** Name within that source; null for uploads. */
	source_key: string | null;
	/** Number of the mail that it is an attachment of; null for others. */
	parent: number | null;
	/** Pages whose text was not read, as JSON; null where all were. */
	unread_pages: Generated<JsonColumn<readonly number[]> | null>;
}

/** Queue of documents whose original has not been read yet. A new upload for a document gets a new number. */
export interface UploadTable {
	number: Generated<number>;
	document: number;
	/** Number of times that reading the upload was started. */
	attempts: Generated<number>;
	/** 0 or 1: whether its passages are to have vectors. */
	with_vectors: number;
	/** 0, or one of `REREADING`: the document was read by an earlier version of its reader, and stays as it is meanwhile. */
	rereading: Generated<number>;
	/** 0 or 1: whether attachments are read as part of the text, because there is no room for more documents. */
	keeps_attachments: Generated<number>;
}

export interface PassageTable {
	number: number;
	document: number;
	page: number | null;
	heading: string | null;
	start_offset: number;
	end_offset: number;
	text: string;
	/** Place in the file: boxes, cells, slide, chapter; JSON. */
	file_place: JsonColumn<FilePlace> | null;
}

/** The only row, or none: words that are still in the indexes of an earlier version of the file. */
export interface WordIndexMoveTable {
	/** Number of the first passage that is still there. */
	next: number;
	/** Inclusive. */
	last: number;
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

/** The tables above, and the vectors of the passages. Earlier versions created word indexes here that are moved now. */
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
`;

/** Places of passages in files whose text is extracted. */
export const passagePlacesSql = "ALTER TABLE passages ADD COLUMN file_place TEXT;";

/**
 * Slugs of knowledge bases, made from their names (`to_slug`). Those whose slug is taken get a number behind it; if that
 * is taken as well, their id.
 */
export const knowledgeBaseSlugsSql = `
ALTER TABLE knowledge_bases ADD COLUMN slug TEXT NOT NULL DEFAULT '';
UPDATE knowledge_bases SET slug = coalesce(nullif(to_slug(name), ''), 'knowledge-base');
UPDATE knowledge_bases SET slug = rtrim(substr(slug, 1, 56), '-') || '-' || ranked.rank
	FROM (SELECT number, row_number() OVER (PARTITION BY slug ORDER BY deleted_at IS NOT NULL, number) AS rank
		FROM knowledge_bases) AS ranked
	WHERE ranked.number = knowledge_bases.number AND ranked.rank > 1;
UPDATE knowledge_bases SET slug = rtrim(substr(slug, 1, 36), '-') || '-' || substr(id, 4)
	FROM (SELECT number, row_number() OVER (PARTITION BY slug ORDER BY number) AS rank FROM knowledge_bases) AS ranked
	WHERE ranked.number = knowledge_bases.number AND ranked.rank > 1;
CREATE UNIQUE INDEX knowledge_bases_by_slug ON knowledge_bases (slug) WHERE deleted_at IS NULL;
`;

/**
 * Columns that say which version of the reader of its format a document was read by, and which uploads read a document
 * again. Documents of before were read by the first version.
 */
export const readerVersionsSql = `
ALTER TABLE documents ADD COLUMN reader_version INTEGER NOT NULL DEFAULT 1;
ALTER TABLE uploads ADD COLUMN rereading INTEGER NOT NULL DEFAULT 0;
`;

/** Columns and indexes of the attachments of mails, which are documents of their own. One file may be in several mails. */
export const attachmentsSql = `
ALTER TABLE documents ADD COLUMN parent INTEGER;
DROP INDEX documents_by_content;
CREATE UNIQUE INDEX documents_by_content ON documents (knowledge_base, content_sha256)
	WHERE source IS NULL AND source_number IS NULL AND parent IS NULL;
CREATE INDEX documents_by_parent ON documents (parent) WHERE parent IS NOT NULL;
ALTER TABLE uploads ADD COLUMN keeps_attachments INTEGER NOT NULL DEFAULT 0;
`;

/** Column of the pages whose text was not read. Of documents of before they are not known. */
export const unreadPagesSql = "ALTER TABLE documents ADD COLUMN unread_pages TEXT;";
