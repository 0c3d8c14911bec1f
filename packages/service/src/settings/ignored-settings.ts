import type { Logger } from "pino";
import type { Keyring } from "../encryption/keyring";
import type { Workspace } from "../workspaces/workspace";

type SettingsWorkspace = Pick<Workspace, "id" | "store">;

/** Code of the warning, in the log and in `/readyz`. */
const WARNING_CODE = "llm_settings_ignored";

/**
 * Workspaces whose model settings are ignored because the service has no encryption key. They were stored without an API
 * key while there was one; with encrypted credentials the service would not have started.
 */
export async function findIgnoredSettings(
	workspaces: readonly SettingsWorkspace[],
	keyring: Pick<Keyring, "isEmpty">,
): Promise<ReadonlySet<string>> {
	const ids = new Set<string>();
	if (!keyring.isEmpty) return ids;
	for (const { id, store } of workspaces) if ((await store.settings.find()) !== undefined) ids.add(id);
	return ids;
}

/** Writes the warning about ignored settings to the log. */
export function logIgnoredSettings(ids: ReadonlySet<string>, logger: Pick<Logger, "warn">): void {
	if (ids.size > 0) logger.warn({ code: WARNING_CODE, workspaces: ids.size }, toWarningMessage(ids.size));
}

/** Lists the warning about ignored settings for `/readyz`; empty where nothing is ignored. */
export const listSettingsWarnings = (count: number) =>
	count === 0 ? [] : [{ code: WARNING_CODE, message: toWarningMessage(count) }];

const toWarningMessage = (count: number): string =>
	`The model settings of ${count} ${count === 1 ? "workspace are" : "workspaces are"} ignored, because the service has no encryption key: the deployment's models answer there. Set "encryption.keys" or STEMMA_ENCRYPTION_KEY, and the settings apply again.`;
