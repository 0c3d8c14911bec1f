import type { Workspace } from "@stemma/client";
import type { AuditEntry } from "../audit/audit-record";
import type { StoredClientKey } from "../auth/client-keys/client-key-repository";
import type { StoredClient } from "../auth/client-repository";
import type { PageRequest } from "../pagination";

/** Workspace as it is stored. */
export type StoredWorkspace = Pick<Workspace, "id" | "name" | "created_at">;

/** Record in the audit log of a workspace. */
export interface WorkspaceAudit {
	readonly workspaceId: string;
	readonly entry: AuditEntry;
}

/** Workspace to be stored, with its first credentials and the records of its creation. */
export interface NewStoredWorkspace {
	readonly workspace: StoredWorkspace;
	readonly client: StoredClient;
	readonly clientKey: StoredClientKey;
	readonly audits: readonly WorkspaceAudit[];
}

/** Workspace to be marked as deleted. */
export interface DeletedWorkspace {
	readonly id: string;
	/** Epoch milliseconds. */
	readonly deletedAt: number;
	/** Workspace in whose audit log the deletion is recorded, with what the deleted one did to other workspaces. */
	readonly recorderId: string;
}

/** Workspaces of a deployment in its store. One that is marked as deleted is found by `listDeleted` alone. */
export interface WorkspaceRepository {
	find(id: string): Promise<StoredWorkspace | undefined>;
	/** Lists workspaces, oldest first; one more than `limit`, where there are more. */
	list(page: PageRequest): Promise<readonly StoredWorkspace[]>;
	/** Lists all workspaces, oldest first. */
	listAll(): Promise<readonly StoredWorkspace[]>;
	isNameTaken(name: string): Promise<boolean>;
	/**
	 * Adds a workspace with its first credentials and records it, in one transaction.
	 *
	 * @param check - called in the transaction; what it throws changes nothing.
	 */
	insert(added: NewStoredWorkspace, check?: (isNameTaken: boolean) => void): Promise<void>;
	/**
	 * Renames a workspace and records it, in one transaction; `undefined` where there is none.
	 *
	 * @param decide - called in the transaction with the workspace as it was, and whether another one has the name; what it
	 * throws changes nothing.
	 */
	rename(
		id: string,
		name: string,
		decide: (workspace: StoredWorkspace, isNameTaken: boolean) => readonly WorkspaceAudit[],
	): Promise<StoredWorkspace | undefined>;
	/**
	 * Marks a workspace as deleted, deletes its credentials and records it, in one transaction; false where there is none.
	 *
	 * @param decide - called in the transaction with the workspace, and whether the one that records is left; what it
	 * throws changes nothing.
	 */
	markDeleted(
		deleted: DeletedWorkspace,
		decide: (workspace: StoredWorkspace, isRecorderLeft: boolean) => AuditEntry,
	): Promise<boolean>;
	/** Lists the ids of the workspaces that are marked as deleted. */
	listDeleted(): Promise<readonly string[]>;
	/** Deletes what is left of a workspace that is marked as deleted, so that no file has it any more. */
	purge(id: string): Promise<void>;
}
