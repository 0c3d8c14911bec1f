import type { ClientKey } from "@stemma/client";
import type { AuditEntry } from "../../audit/audit-record";
import type { PageRequest } from "../../pagination";

/** Client key to be stored. */
export interface StoredClientKey extends ClientKey {
	/** SHA-256. */
	readonly secretHash: Uint8Array;
}

/** Client key with the hash of its secret. */
export interface ClientKeyCredentials {
	readonly key: ClientKey;
	readonly workspaceId: string;
	readonly secretHash: Uint8Array;
}

/** Client keys of all workspaces in the store of the deployment. */
export interface ClientKeyRepository {
	find(workspaceId: string, id: string): Promise<ClientKey | undefined>;
	/** Lists client keys by id; one more than `limit`, where there are more. */
	list(workspaceId: string, page: PageRequest): Promise<readonly ClientKey[]>;
	findCredentials(id: string): Promise<ClientKeyCredentials | undefined>;
	/** Adds a client key and records it, in one transaction. */
	insert(workspaceId: string, key: StoredClientKey, audit: AuditEntry): Promise<void>;
	/**
	 * Deletes a client key and records it, in one transaction; false where there is none.
	 *
	 * @param decide - called in the transaction; what it throws changes nothing.
	 */
	delete(workspaceId: string, id: string, decide: (key: ClientKey) => AuditEntry): Promise<boolean>;
}
