import type { AuditAction } from "@stemma/client";
import type { JsonObject } from "@stemma/core";
import type { JsonColumn } from "../json-column";

/** Audit log in a workspace's file: each change and its author. */
export interface AuditTables {
	audit: AuditRow;
}

export interface AuditRow {
	/** `aud_…` */
	id: string;
	/** Epoch milliseconds. */
	created_at: number;
	action: AuditAction;
	actor: string;
	target: string;
	/** A `JsonObject`. */
	details: JsonColumn<JsonObject>;
	request_id: string | null;
}

/**
 * Row of the audit log in the deployment's file, which contains the changes to clients and client keys of all
 * workspaces.
 */
export interface DeploymentAuditRow extends AuditRow {
	workspace_id: string;
}

const columns = `
	id TEXT PRIMARY KEY,
	created_at INTEGER NOT NULL,
	action TEXT NOT NULL,
	actor TEXT NOT NULL,
	target TEXT NOT NULL,
	details TEXT NOT NULL,
	request_id TEXT`;

export const auditTablesSql = `
CREATE TABLE audit (${columns}
) STRICT, WITHOUT ROWID;
CREATE INDEX audit_by_action ON audit (action, id);
`;

export const deploymentAuditSql = `
CREATE TABLE audit (${columns},
	workspace_id TEXT NOT NULL REFERENCES workspaces ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX audit_by_workspace ON audit (workspace_id, id);
CREATE INDEX audit_by_action ON audit (workspace_id, action, id);
`;
