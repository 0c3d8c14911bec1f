import type { Generated } from "kysely";

/** The tables of a workspace that hold the files of its documents and the texts that were extracted from them. */
export interface ContentTables {
	contents: ContentTable;
	content_chunks: ContentChunkTable;
	content_sweeps: ContentSweepTable;
}

/** Bytes that never change: the file of a document, or its text as UTF-8. */
export interface ContentTable {
	number: Generated<number>;
	/** Size in bytes, before compression. */
	size: number;
	/** SHA-256 of the bytes, hexadecimal. */
	sha256: string;
	/** 0 or 1: whether each chunk is compressed by DEFLATE. */
	is_deflated: number;
}

/** Chunk of a content, at most 256 KiB, which cuts no character of UTF-8. */
export interface ContentChunkTable {
	content: number;
	/** Position of its first byte in the content, before compression. */
	position: number;
	bytes: Uint8Array;
}

/** Contents that no document shows any more. */
export interface ContentSweepTable {
	content: number;
}

/** The tables above; what is still in the queue of uploads moves there. Documents that were read before have no content. */
export const contentTablesSql = `
CREATE TABLE contents (
	number INTEGER PRIMARY KEY AUTOINCREMENT,
	size INTEGER NOT NULL,
	sha256 TEXT NOT NULL,
	is_deflated INTEGER NOT NULL
) STRICT;

CREATE TABLE content_chunks (
	content INTEGER NOT NULL,
	position INTEGER NOT NULL,
	bytes BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX content_chunks_by_position ON content_chunks (content, position);

CREATE TABLE content_sweeps (
	content INTEGER PRIMARY KEY
) STRICT;

ALTER TABLE documents ADD COLUMN original_content INTEGER;
ALTER TABLE documents ADD COLUMN text_content INTEGER;

INSERT INTO contents (number, size, sha256, is_deflated)
	SELECT uploads.number, length(content), content_sha256, 0
	FROM uploads JOIN documents ON documents.number = uploads.document;
INSERT INTO content_chunks (content, position, bytes) SELECT number, 0, content FROM uploads;
UPDATE documents SET original_content = (SELECT number FROM uploads WHERE document = documents.number);
ALTER TABLE uploads DROP COLUMN content;
`;
