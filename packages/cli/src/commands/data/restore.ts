import { ConfigurationError } from "@stemma/core/errors";
import type { RestoredBackup } from "@stemma/service";
import { runUntilInterrupted } from "../../terminal/interrupt";
import { type JsonOption, print, report } from "../../terminal/print";
import { createProgressBar } from "../../terminal/progress-bar";
import { sanitizeLine, type Terminal } from "../../terminal/terminal";
import { count } from "../../terminal/text/count";
import { countWorkspaces, formatParts, reportKeys } from "./backup";
import { readDataConfiguration } from "./data-configuration";

/** Options of `stemma restore`. */
export interface RestoreCommandOptions extends JsonOption {
	/** The new data folder. Default: the database of the settings. */
	readonly into?: string;
	readonly config?: string;
	readonly allowMissingKeys: boolean;
}

const STOPPED = "Stopped. The folder or the database is as it was.";

/** Restores a backup into an empty folder or database. Returns the exit code. */
export function restore(terminal: Terminal, file: string, options: RestoreCommandOptions): Promise<number> {
	return runUntilInterrupted(terminal, STOPPED, async (signal) => {
		const { restoreBackup } = await import("@stemma/service");
		const place = options.into ?? (await readDatabase(options.config));
		const bar = createProgressBar(terminal, "restoring");
		try {
			const restored = await restoreBackup(file, place, {
				allowsMissingKeys: options.allowMissingKeys,
				onProgress: bar.update,
				signal,
			});
			bar.clear();
			print(terminal, options, toWire(restored), () => formatRestored(restored));
			reportKeys(terminal, restored.manifest);
			for (const { message } of restored.manifest.left_out)
				report(terminal, "skipped", sanitizeLine(message));
			return 0;
		} finally {
			bar.clear();
		}
	});
}

/** Reads the database of the settings, and the keys that open what is encrypted in it. */
async function readDatabase(config: string | undefined) {
	const { database, encryption } = await readDataConfiguration(config === undefined ? {} : { config });
	if (database !== undefined) return { database, encryption };
	throw new ConfigurationError("There is no place to restore into.", {
		code: "restore_target_missing",
		hint: "Name an empty folder: --into <folder>. The backup of a Postgres database needs an empty one in database.url and database.owner_url.",
	});
}

const toWire = ({ manifest, ...target }: RestoredBackup): object => ({ ...target, ...manifest });

const formatRestored = (restored: RestoredBackup): string =>
	[
		"folder" in restored
			? toHead(restored, restored.folder, "hashes, counts and databases")
			: toHead(restored, `the database ${restored.database}`, "rights and counts"),
		formatParts(restored.manifest),
		"folder" in restored
			? `Start it with: stemma serve --data ${sanitizeLine(restored.folder)}\n`
			: "Start the service on it: stemma serve\n",
		"Clients, keys and people sign in as before; first-credentials.json was not in the backup.\n",
	].join("");

const toHead = ({ manifest }: RestoredBackup, target: string, checked: string): string =>
	`Restored ${count(countWorkspaces(manifest), "workspace")} of ${manifest.created_at} into ${sanitizeLine(target)}. All ${checked} are sound.\n`;
