import type { StoredSecret } from "../../workspace-secrets/secret-repository";

/** The secrets that the tools of a workspace send. */
export interface WorkspaceSecretTables {
	workspace_secrets: StoredSecret;
}

export const workspaceSecretTablesSql = `
CREATE TABLE workspace_secrets (
	name TEXT PRIMARY KEY,
	server_url TEXT NOT NULL,
	value TEXT NOT NULL,
	created_at INTEGER NOT NULL,
	updated_at INTEGER NOT NULL,
	updated_by TEXT NOT NULL
) STRICT;
`;
