import type { RunShareField } from "@stemma/client";
import type { StoredRunShare } from "../../../run-shares/run-share-repository";
import type { JsonColumn } from "../../json-column";

/** Table of links to runs in the deployment's file, as a token alone says which workspace it is for. */
export interface RunShareTables {
	run_shares: RunShareRow;
}

export interface RunShareRow extends Omit<StoredRunShare, "fields"> {
	/** SHA-256 of the token. */
	readonly token_hash: Uint8Array;
	readonly fields: JsonColumn<readonly RunShareField[]>;
}

export const runShareTablesSql = `
CREATE TABLE run_shares (
	id TEXT PRIMARY KEY,
	token_hash BLOB NOT NULL UNIQUE,
	workspace_id TEXT NOT NULL REFERENCES workspaces ON DELETE CASCADE,
	run_id TEXT NOT NULL,
	fields TEXT NOT NULL,
	created_by TEXT NOT NULL,
	created_at INTEGER NOT NULL,
	expires_at INTEGER NOT NULL,
	views INTEGER NOT NULL
) STRICT;
CREATE INDEX run_shares_by_workspace ON run_shares (workspace_id, created_by, id);
CREATE INDEX run_shares_by_run ON run_shares (workspace_id, run_id);
`;
