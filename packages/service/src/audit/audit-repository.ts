import type { AuditAction, AuditRecord } from "@stemma/client";
import type { PageRequest } from "../pagination";
import type { AuditEntry } from "./audit-record";

/** Page and filter of a request for the audit log. */
export interface AuditPageRequest extends PageRequest {
	readonly action?: AuditAction | undefined;
}

/** Audit log in the store of a workspace; the repositories record each change together with it. */
export interface AuditRepository {
	/** Lists records, newest first; one more than `limit`, where there are more. */
	list(page: AuditPageRequest): Promise<readonly AuditRecord[]>;
	/** Records what is no change of one repository. */
	record(entry: AuditEntry): Promise<void>;
}

/** Audit log in the store of the deployment: changes to clients, client keys and workspaces, by workspace. */
export interface DeploymentAuditRepository {
	/** Lists the records of a workspace, newest first; one more than `limit`, where there are more. */
	list(workspaceId: string, page: AuditPageRequest): Promise<readonly AuditRecord[]>;
	/** Deletes the records of all workspaces from before a time, in epoch milliseconds. */
	deleteBefore(time: number): Promise<void>;
}
