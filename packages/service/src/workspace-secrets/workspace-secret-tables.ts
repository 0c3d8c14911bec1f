/** The secrets that the tools of a workspace send. Times are epoch milliseconds. */
export interface WorkspaceSecretTables {
	workspace_secrets: WorkspaceSecretRow;
}

export interface WorkspaceSecretRow {
	name: string;
	server_url: string;
	/** Encrypted; see `keyring.ts`. */
	value: string;
	created_at: number;
	updated_at: number;
	/** `cl_…` */
	updated_by: string;
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
