import type { StoredPasskey } from "../../../people/passkeys/stored-passkey";

/** Table of passkeys in the deployment's file. */
export interface PasskeyTables {
	passkeys: StoredPasskey;
}

export const passkeyTablesSql = `
CREATE TABLE passkeys (
	id TEXT PRIMARY KEY,
	workspace_id TEXT NOT NULL,
	user_id TEXT NOT NULL,
	name TEXT NOT NULL,
	credential_id TEXT NOT NULL UNIQUE,
	party_id TEXT NOT NULL,
	public_key BLOB NOT NULL,
	counter INTEGER NOT NULL,
	synced INTEGER NOT NULL,
	created_at INTEGER NOT NULL,
	last_used_at INTEGER,
	FOREIGN KEY (workspace_id, user_id) REFERENCES members (workspace_id, user_id) ON DELETE CASCADE
) STRICT;
CREATE INDEX passkeys_by_member ON passkeys (workspace_id, user_id, id);
`;
