import type { StoredLlmSettings } from "../../settings/settings-repository";

/** The model settings of a workspace: one row, or none. */
export interface SettingsTables {
	llm_settings: StoredLlmSettings;
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
