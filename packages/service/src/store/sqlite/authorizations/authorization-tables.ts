import type { Scope } from "@stemma/client";
import type { StoredAuthorization, StoredCode } from "../../../authorizations/stored-authorizations";
import type { JsonColumn } from "../../json-column";

/** Tables of apps and their access in the deployment's file. Times are epoch milliseconds. */
export interface AuthorizationTables {
	apps: {
		id: string;
		name: string;
		redirect_uris: JsonColumn<readonly string[]>;
		created_at: number;
	};
	authorizations: AuthorizationRow;
	authorization_codes: StoredCode & {
		readonly code_hash: Uint8Array;
		readonly authorization_id: string;
		/** Time at which it was exchanged. */
		readonly used_at: number | null;
	};
	authorization_tokens: {
		/** SHA-256 of the token. */
		token_hash: Uint8Array;
		authorization_id: string;
		kind: "access" | "refresh";
		expires_at: number;
		/** Time at which another refresh token took its place. */
		replaced_at: number | null;
	};
}

export interface AuthorizationRow extends Omit<StoredAuthorization, "scopes"> {
	readonly scopes: JsonColumn<readonly Scope[]>;
}

export const authorizationTablesSql = `
CREATE TABLE apps (
	id TEXT PRIMARY KEY,
	name TEXT NOT NULL,
	redirect_uris TEXT NOT NULL,
	created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE authorizations (
	id TEXT PRIMARY KEY,
	workspace_id TEXT NOT NULL,
	user_id TEXT NOT NULL,
	client_id TEXT NOT NULL,
	client_name TEXT NOT NULL,
	redirect_host TEXT,
	scopes TEXT NOT NULL,
	resource TEXT NOT NULL,
	created_at INTEGER NOT NULL,
	last_used_at INTEGER NOT NULL,
	FOREIGN KEY (workspace_id, user_id) REFERENCES members (workspace_id, user_id) ON DELETE CASCADE
) STRICT;
CREATE INDEX authorizations_by_member ON authorizations (workspace_id, user_id, id);
CREATE INDEX authorizations_by_app ON authorizations (client_id);

CREATE TABLE authorization_codes (
	code_hash BLOB PRIMARY KEY,
	authorization_id TEXT NOT NULL REFERENCES authorizations ON DELETE CASCADE,
	redirect_uri TEXT NOT NULL,
	code_challenge TEXT NOT NULL,
	expires_at INTEGER NOT NULL,
	used_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX authorization_codes_by_authorization ON authorization_codes (authorization_id);

CREATE TABLE authorization_tokens (
	token_hash BLOB PRIMARY KEY,
	authorization_id TEXT NOT NULL REFERENCES authorizations ON DELETE CASCADE,
	kind TEXT NOT NULL,
	expires_at INTEGER NOT NULL,
	replaced_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX authorization_tokens_by_authorization ON authorization_tokens (authorization_id);
`;
