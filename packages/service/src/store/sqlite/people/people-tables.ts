import type { Member, Role } from "@stemma/client";
import type { StoredSession, StoredSignInLink } from "../../../people/stored-people";

/** Tables of people in the deployment's file. Times are epoch milliseconds. */
export interface PeopleTables {
	users: {
		id: string;
		/** Normalized; unique in the deployment. */
		email: string;
		created_at: number;
	};
	members: MemberRow;
	sign_in_links: SignInLinkRow;
	sessions: SessionRow;
}

export interface MemberRow {
	workspace_id: string;
	user_id: string;
	/** Name in this workspace, as no other one may learn it. */
	name: string;
	role: Role;
	status: Member["status"];
	created_at: number;
}

export interface SignInLinkRow extends StoredSignInLink {
	/** SHA-256 of its token. */
	readonly token_hash: Uint8Array;
}

export interface SessionRow extends StoredSession {
	/** SHA-256 of its secret. */
	readonly token_hash: Uint8Array;
}

/** Maker of the invitation of a session, and of the session that a passkey was added in. */
export const inviterSql = `
ALTER TABLE sessions ADD COLUMN invited_by TEXT;
ALTER TABLE passkeys ADD COLUMN invited_by TEXT;
`;

/** Column for the reach of sessions, passkeys and links: those that were there reach their workspace alone. */
export const sessionReachSql = ["sessions", "passkeys", "sign_in_links"]
	.map((table) => `ALTER TABLE ${table} ADD COLUMN reach TEXT NOT NULL DEFAULT 'workspace';`)
	.join("\n");

export const peopleTablesSql = `
CREATE TABLE users (
	id TEXT PRIMARY KEY,
	email TEXT NOT NULL UNIQUE,
	created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE members (
	workspace_id TEXT NOT NULL REFERENCES workspaces ON DELETE CASCADE,
	user_id TEXT NOT NULL REFERENCES users ON DELETE CASCADE,
	name TEXT NOT NULL,
	role TEXT NOT NULL,
	status TEXT NOT NULL,
	created_at INTEGER NOT NULL,
	PRIMARY KEY (workspace_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX members_by_user ON members (user_id);

CREATE TABLE sign_in_links (
	id TEXT PRIMARY KEY,
	token_hash BLOB NOT NULL UNIQUE,
	workspace_id TEXT NOT NULL REFERENCES workspaces ON DELETE CASCADE,
	kind TEXT NOT NULL,
	email TEXT,
	role TEXT NOT NULL,
	invited_by TEXT NOT NULL,
	created_at INTEGER NOT NULL,
	expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX sign_in_links_by_workspace ON sign_in_links (workspace_id, id);

CREATE TABLE sessions (
	id TEXT PRIMARY KEY,
	token_hash BLOB NOT NULL UNIQUE,
	user_id TEXT NOT NULL,
	workspace_id TEXT NOT NULL,
	user_agent TEXT,
	created_at INTEGER NOT NULL,
	last_used_at INTEGER NOT NULL,
	FOREIGN KEY (workspace_id, user_id) REFERENCES members (workspace_id, user_id) ON DELETE CASCADE
) STRICT;
CREATE INDEX sessions_by_member ON sessions (workspace_id, user_id, id);
`;
