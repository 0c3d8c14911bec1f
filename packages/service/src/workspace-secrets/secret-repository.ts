import type { AuditEntry } from "../audit/audit-record";
import type { PageRequest } from "../pagination";

/** Secret as it is stored. Times are epoch milliseconds. */
export interface StoredSecret {
	readonly name: string;
	readonly server_url: string;
	/** Encrypted; see `keyring.ts`. */
	readonly value: string;
	readonly created_at: number;
	readonly updated_at: number;
	/** `cl_…` */
	readonly updated_by: string;
}

/** Secret to store, with the row of the audit that tells of it. */
export interface SecretChange {
	readonly secret: StoredSecret;
	readonly audit: AuditEntry;
}

/** Encrypted secrets of one workspace in its store. */
export interface SecretRepository {
	find(name: string): Promise<StoredSecret | undefined>;
	/** Lists secrets by name; one more than `limit`, where there are more. */
	list(page: PageRequest): Promise<readonly StoredSecret[]>;
	/**
	 * Adds or replaces a secret and records it, in one transaction.
	 *
	 * @param change - decides where nobody else can write; what it throws changes nothing. `count` is the number of all
	 * secrets that are stored.
	 */
	replace(
		name: string,
		change: (stored: StoredSecret | undefined, count: number) => SecretChange,
	): Promise<StoredSecret>;
	/** Deletes a secret and records it; false, and no record, where there was none. */
	delete(name: string, audit: AuditEntry): Promise<boolean>;
}
