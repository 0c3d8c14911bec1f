import type { ApiClient, Scope } from "@stemma/client";
import type { AuditEntry } from "../audit/audit-record";
import type { PageRequest } from "../pagination";

/** Client to be stored. */
export interface StoredClient extends ApiClient {
	/** SHA-256. */
	readonly secretHash: Uint8Array;
}

/** Scopes and secret of a client, by which it gets tokens. */
export interface ClientCredentials {
	readonly workspaceId: string;
	readonly scopes: readonly Scope[];
	readonly secretHash: Uint8Array;
}

/**
 * Decides whether a client may be changed, and how it is recorded: called in the transaction of the change, and what it
 * throws changes nothing.
 *
 * @param others - scopes of each other client of the workspace.
 */
export type DecideClientChange = (client: ApiClient, others: readonly (readonly Scope[])[]) => AuditEntry;

/** Clients of all workspaces in the store of the deployment. */
export interface ClientRepository {
	find(workspaceId: string, id: string): Promise<ApiClient | undefined>;
	/** Lists clients by id; one more than `limit`, where there are more. */
	list(workspaceId: string, page: PageRequest): Promise<readonly ApiClient[]>;
	findCredentials(id: string): Promise<ClientCredentials | undefined>;
	/** Adds a client and records it, in one transaction. */
	insert(workspaceId: string, client: StoredClient, audit: AuditEntry): Promise<void>;
	/** Deletes a client with its tokens and records it, in one transaction; false where there is none. */
	delete(workspaceId: string, id: string, decide: DecideClientChange): Promise<boolean>;
	/**
	 * Replaces the secret of a client, deletes its tokens and records it, in one transaction; `undefined` where there is
	 * none.
	 */
	replaceSecret(
		workspaceId: string,
		id: string,
		secretHash: Uint8Array,
		decide: DecideClientChange,
	): Promise<ApiClient | undefined>;
}
