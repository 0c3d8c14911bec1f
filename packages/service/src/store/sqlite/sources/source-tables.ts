import type { SourceIssue, SourceSettings, SourceSyncCounts, SourceSyncStatus } from "@stemma/client";
import type { RunError } from "@stemma/core";
import type { Generated } from "kysely";
import type { JsonColumn } from "../../json-column";

/** The tables of a workspace that hold its sources, their items and their syncs. Times are epoch milliseconds. */
export interface SourceTables {
	sources: SourceTable;
	source_items: SourceItemTable;
	source_syncs: SourceSyncTable;
}

export interface SourceTable {
	number: Generated<number>;
	/** `src_…` */
	id: string;
	/** A number, not an id. */
	knowledge_base: number;
	name: string;
	settings: JsonColumn<SourceSettings>;
	credential: string | null;
	every_minutes: number | null;
	/** Null while a sync is queued or running, and where there is no schedule. */
	next_sync_at: number | null;
	/** Syncs that failed since one succeeded. */
	failures: Generated<number>;
	/** Text that the last complete scan has left for the next. */
	scan_state: Generated<string | null>;
	created_at: number;
	updated_at: number;
	/** Set on deletion: nobody sees it any more, and what it holds is swept away after that. */
	deleted_at: number | null;
	/** 0 or 1: whether a deleted source leaves its documents. */
	keeps_documents: Generated<number>;
}

/** Item of a source, as its last sync found it. */
export interface SourceItemTable {
	/** A number. */
	source: number;
	key: string;
	version: string | null;
	/** Text that its document shows as `source`. */
	label: string;
	/** Number of its document, which may be that of other items too, and may be deleted. */
	document: number;
	/** Number of the sync that first found it. */
	first_sync: number;
	/** Number of the last sync that found it, readable or not. */
	seen_sync: number;
	/** Number of the last sync that counted it as added, changed or unchanged. */
	counted_sync: number;
}

export interface SourceSyncTable {
	number: Generated<number>;
	/** `sync_…` */
	id: string;
	/** A number. */
	source: number;
	status: SourceSyncStatus;
	/** 0 or 1: whether it may delete all documents. */
	is_forced: number;
	error: JsonColumn<RunError> | null;
	counts: JsonColumn<SourceSyncCounts>;
	bytes_read: number;
	issues: JsonColumn<SourceIssue[]>;
	created_at: number;
	started_at: number | null;
	ended_at: number | null;
}

/** SQL of the tables above. Documents of sources are kept apart from uploads, even under the same name. */
export const sourceTablesSql = `
CREATE TABLE sources (
	number INTEGER PRIMARY KEY AUTOINCREMENT,
	id TEXT NOT NULL UNIQUE,
	knowledge_base INTEGER NOT NULL,
	name TEXT NOT NULL,
	settings TEXT NOT NULL,
	credential TEXT,
	every_minutes INTEGER,
	next_sync_at INTEGER,
	failures INTEGER NOT NULL DEFAULT 0,
	created_at INTEGER NOT NULL,
	updated_at INTEGER NOT NULL,
	deleted_at INTEGER,
	keeps_documents INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX sources_by_knowledge_base ON sources (knowledge_base, id);
CREATE INDEX sources_by_next_sync ON sources (next_sync_at) WHERE next_sync_at IS NOT NULL;

CREATE TABLE source_items (
	source INTEGER NOT NULL,
	key TEXT NOT NULL,
	version TEXT,
	label TEXT NOT NULL,
	document INTEGER NOT NULL,
	first_sync INTEGER NOT NULL,
	seen_sync INTEGER NOT NULL,
	counted_sync INTEGER NOT NULL,
	PRIMARY KEY (source, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX source_items_by_document ON source_items (document);
CREATE INDEX source_items_by_sync ON source_items (source, seen_sync);

CREATE TABLE source_syncs (
	number INTEGER PRIMARY KEY AUTOINCREMENT,
	id TEXT NOT NULL UNIQUE,
	source INTEGER NOT NULL,
	status TEXT NOT NULL,
	is_forced INTEGER NOT NULL,
	error TEXT,
	counts TEXT NOT NULL,
	bytes_read INTEGER NOT NULL,
	issues TEXT NOT NULL,
	created_at INTEGER NOT NULL,
	started_at INTEGER,
	ended_at INTEGER
) STRICT;
CREATE INDEX source_syncs_by_source ON source_syncs (source, number);
CREATE UNIQUE INDEX source_syncs_active ON source_syncs (source) WHERE status IN ('queued', 'running');

ALTER TABLE documents ADD COLUMN source_number INTEGER;
ALTER TABLE documents ADD COLUMN source_key TEXT;
DROP INDEX documents_by_source;
DROP INDEX documents_by_content;
CREATE UNIQUE INDEX documents_by_source ON documents (knowledge_base, source)
	WHERE source IS NOT NULL AND source_number IS NULL;
CREATE UNIQUE INDEX documents_by_content ON documents (knowledge_base, content_sha256)
	WHERE source IS NULL AND source_number IS NULL;
CREATE INDEX documents_by_label ON documents (knowledge_base, source, id) WHERE source IS NOT NULL;
CREATE INDEX documents_of_sources ON documents (source_number, content_sha256) WHERE source_number IS NOT NULL;
`;

/** State of a source as a whole. */
export const sourceStateSql = "ALTER TABLE sources ADD COLUMN scan_state TEXT;";
