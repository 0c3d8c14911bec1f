/** The model settings of a workspace: one row, or none. Times are epoch milliseconds. */
export interface SettingsTables {
	llm_settings: LlmSettingsRow;
}

export interface LlmSettingsRow {
	/** Always 1. */
	id: number;
	provider: string;
	base_url: string;
	model: string;
	/** Encrypted; see `keyring.ts`. */
	api_key: string | null;
	created_at: number;
	updated_at: number;
	/** `cl_…` */
	updated_by: string;
}

export const settingsTablesSql = `
CREATE TABLE llm_settings (
	id INTEGER PRIMARY KEY CHECK (id = 1),
	provider TEXT NOT NULL,
	base_url TEXT NOT NULL,
	model TEXT NOT NULL,
	api_key TEXT,
	created_at INTEGER NOT NULL,
	updated_at INTEGER NOT NULL,
	updated_by TEXT NOT NULL
) STRICT;
`;
