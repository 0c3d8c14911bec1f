import type { Json, JsonObject, ReceiptRow } from "@stemma/core";
import type { Generated } from "kysely";
import type { StoredRun } from "../../../runs/stored-run";
import type { JsonColumn } from "../../json-column";

/** Run in its table. */
export interface RunRow extends Omit<StoredRun, "background"> {
	readonly background: 0 | 1;
	/** Ids of the limited knowledge bases and agents that it was made with, as JSON; null for none. */
	readonly limits: string | null;
}

/** Tables of a workspace's runs. Times are epoch milliseconds, JSON is text. */
export interface RunTables {
	runs: RunRow;
	run_inputs: {
		run_id: string;
		input: JsonColumn<Json>;
		context: JsonColumn<JsonObject>;
	};
	run_events: {
		run_id: string;
		seq: number;
		/** The event as the wire has it. */
		event: string;
	};
	receipts: {
		number: Generated<number>;
		/** `rcp_…` */
		id: string;
		/** ID of the run; null for answers outside of runs. */
		run_id: string | null;
		created_at: number;
		receipt: JsonColumn<ReceiptRow>;
		/** `usr_…` of the person that the call was for; null for other callers. */
		user_id: string | null;
	};
}

export const runTablesSql = `
	CREATE TABLE runs (
		id TEXT PRIMARY KEY,
		agent_id TEXT NOT NULL,
		agent_slug TEXT NOT NULL,
		agent_version INTEGER NOT NULL,
		status TEXT NOT NULL,
		background INTEGER NOT NULL,
		started_by TEXT NOT NULL,
		created_at INTEGER NOT NULL,
		ended_at INTEGER,
		last_seq INTEGER NOT NULL
	) WITHOUT ROWID;
	CREATE INDEX runs_by_agent ON runs (agent_id, id);
	CREATE INDEX runs_by_status ON runs (status, id);
	CREATE TABLE run_events (
		run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
		seq INTEGER NOT NULL,
		event TEXT NOT NULL,
		PRIMARY KEY (run_id, seq)
	) WITHOUT ROWID;
	CREATE TABLE receipts (
		number INTEGER PRIMARY KEY,
		id TEXT NOT NULL UNIQUE,
		run_id TEXT,
		created_at INTEGER NOT NULL,
		receipt TEXT NOT NULL
	);
	CREATE INDEX receipts_by_run ON receipts (run_id);
`;

/** A table of its own: rows of `runs` are read often, and an input may be as large as a request. */
export const runInputsSql = `
	CREATE TABLE run_inputs (
		run_id TEXT PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
		input TEXT NOT NULL,
		context TEXT NOT NULL
	) WITHOUT ROWID;
`;

export const runsByStarterSql = "CREATE INDEX runs_by_starter ON runs (started_by, id);";

export const runWithinSql = "ALTER TABLE runs ADD COLUMN within TEXT;";

export const runsByParentSql = "CREATE INDEX runs_by_parent ON runs (within) WHERE within IS NOT NULL;";
