import type { RunShareField } from "@stemma/client";
import type { AuditEntry } from "../audit/audit-record";
import type { PageRequest } from "../pagination";

/** Link to a run as it is stored, without its token; times are epoch milliseconds. */
export interface StoredRunShare {
	/** `shr_…` */
	readonly id: string;
	readonly workspace_id: string;
	readonly run_id: string;
	readonly fields: readonly RunShareField[];
	/** `usr_…` or `cl_…` */
	readonly created_by: string;
	readonly created_at: number;
	readonly expires_at: number;
	readonly views: number;
}

/** Link to be stored. */
export interface NewRunShare extends StoredRunShare {
	/** SHA-256. */
	readonly tokenHash: Uint8Array;
}

/** Filter and page for a list of links. */
export interface RunShareListOptions extends PageRequest {
	readonly runId?: string | undefined;
	/** Default: of all. */
	readonly createdBy?: string | undefined;
	/** Time at which they are valid, in epoch milliseconds. */
	readonly now: number;
}

/** Links to runs, of all workspaces. */
export interface RunShareRepository {
	/**
	 * Adds a link and records it, in one transaction.
	 *
	 * @param check - gets the number of valid links to the run; what it throws adds nothing.
	 */
	insert(share: NewRunShare, audit: AuditEntry, check: (count: number) => void): Promise<void>;
	find(workspaceId: string, id: string): Promise<StoredRunShare | undefined>;
	findByToken(tokenHash: Uint8Array): Promise<StoredRunShare | undefined>;
	/** Lists links, newest first; one more than `limit`, where there are more. */
	list(workspaceId: string, options: RunShareListOptions): Promise<readonly StoredRunShare[]>;
	/** Deletes a link and records it, in one transaction; false where there is none. */
	delete(workspaceId: string, id: string, audit: AuditEntry): Promise<boolean>;
	/** Counts that a link was opened. */
	countView(id: string): Promise<void>;
	/** Deletes links to runs that are not there any more. */
	deleteOfRuns(workspaceId: string, runIds: readonly string[]): Promise<void>;
	deleteExpired(now: number): Promise<void>;
}
