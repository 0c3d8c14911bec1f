import type { Selectable } from "kysely";
import type { AuditEntry } from "../audit/audit";
import type { LlmSettingsRow } from "./settings-tables";

/** Model settings as they are stored. */
export type StoredLlmSettings = Selectable<LlmSettingsRow>;

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
	/** Records what was done without a change. */
	record(audit: AuditEntry): Promise<void>;
}
