import type { Payer, RunError } from "@stemma/core";
import type { EmbeddingSpace } from "@stemma/routing";
import type { ReindexStatus } from "../../../../knowledge/repositories/reindex-repository";
import type { JsonColumn } from "../../../json-column";
import type { PinColumn } from "../jobs/embedding-pins";

/** Moves of knowledge bases to another embedding space: one a knowledge base, until what it keeps is dropped. */
export interface ReindexTables {
	reindexes: ReindexTable;
}

export interface ReindexTable {
	/** A number, not an id. */
	knowledge_base: number;
	status: ReindexStatus;
	/** Space that the knowledge base moves to; JSON `null`: words alone. */
	target: JsonColumn<EmbeddingSpace | null>;
	/**
	 * An `EmbeddingPin` as JSON: space of the vectors that no search uses. Those of the target until it is completed, the
	 * former ones after that; null as long as there are none.
	 */
	spare: PinColumn;
	/** 0 or 1: whether vectors of another space are deleted first. */
	needs_clearing: number;
	payer: Payer;
	/** A `RunError` as JSON, of one that is paused. */
	error: JsonColumn<RunError> | null;
	/** Number of passages that the model refused. */
	skipped: number;
	/** `cl_…` of the caller who started it. */
	actor: string;
	/** Epoch milliseconds. */
	started_at: number;
	completed_at: number | null;
}

/** Tables of moves, and the second pair of tables for vectors: `vector_slot` of a knowledge base says which pair answers. */
export const reindexTablesSql = `
ALTER TABLE knowledge_bases ADD COLUMN vector_slot INTEGER NOT NULL DEFAULT 0;

CREATE TABLE passage_vectors_2 (
	number INTEGER PRIMARY KEY,
	vector BLOB NOT NULL
) STRICT;

CREATE TABLE passage_codes_2 (
	knowledge_base INTEGER NOT NULL,
	number INTEGER NOT NULL,
	code BLOB NOT NULL,
	PRIMARY KEY (knowledge_base, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE reindexes (
	knowledge_base INTEGER PRIMARY KEY REFERENCES knowledge_bases (number) ON DELETE CASCADE,
	status TEXT NOT NULL,
	target TEXT NOT NULL,
	spare TEXT,
	needs_clearing INTEGER NOT NULL,
	payer TEXT NOT NULL,
	error TEXT,
	skipped INTEGER NOT NULL DEFAULT 0,
	actor TEXT NOT NULL,
	started_at INTEGER NOT NULL,
	completed_at INTEGER
) STRICT;
`;
