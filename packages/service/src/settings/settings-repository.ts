import type { AuditEntry } from "../audit/audit-record";

/** Model settings as they are stored. Times are epoch milliseconds. */
export interface StoredLlmSettings {
	/** Always 1. */
	readonly id: number;
	readonly provider: string;
	readonly base_url: string;
	readonly model: string;
	/** Encrypted; see `keyring.ts`. */
	readonly api_key: string | null;
	readonly created_at: number;
	readonly updated_at: number;
	/** `cl_…` */
	readonly updated_by: string;
}

/** Settings to store, with the row of the audit that tells of it. */
export interface SettingsChange {
	readonly settings: StoredLlmSettings;
	readonly audit: AuditEntry;
}

/** Model settings of one workspace in its store: none, or one row. */
export interface LlmSettingsRepository {
	find(): Promise<StoredLlmSettings | undefined>;
	/**
	 * Replaces the settings and records it, in one transaction.
	 *
	 * @param change - decides where nobody else can write; what it throws changes nothing.
	 */
	replace(change: (stored: StoredLlmSettings | undefined) => SettingsChange): Promise<StoredLlmSettings>;
	/** Deletes the settings and records it; false, and no record, where there were none. */
	delete(audit: AuditEntry): Promise<boolean>;
}
