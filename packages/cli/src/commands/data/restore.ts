import type { RestoredBackup } from "@stemma/service";
import { runUntilInterrupted } from "../../terminal/interrupt";
import { type JsonOption, print, report } from "../../terminal/print";
import { createProgressBar } from "../../terminal/progress-bar";
import { sanitizeLine, type Terminal } from "../../terminal/terminal";
import { count } from "../../terminal/text/count";
import { formatParts, reportKeys } from "./backup";

/** Options of `stemma restore`. */
export interface RestoreCommandOptions extends JsonOption {
	readonly into: string;
}

const STOPPED = "Stopped. The folder is as it was.";

/** Restores a backup into an empty folder. Returns the exit code. */
export function restore(terminal: Terminal, file: string, options: RestoreCommandOptions): Promise<number> {
	return runUntilInterrupted(terminal, STOPPED, async (signal) => {
		const { restoreBackup } = await import("@stemma/service");
		const bar = createProgressBar(terminal, "restoring");
		try {
			const restored = await restoreBackup(file, options.into, { onProgress: bar.update, signal });
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

const toWire = ({ folder, manifest }: RestoredBackup): object => ({ folder, ...manifest });

function formatRestored({ folder, manifest }: RestoredBackup): string {
	const workspaces = manifest.parts.filter(({ workspace_id }) => workspace_id !== undefined);
	return [
		`Restored ${count(workspaces.length, "workspace")} of ${manifest.created_at} into ${sanitizeLine(folder)}. All hashes, counts and databases are sound.\n`,
		formatParts(manifest),
		`Start it with: stemma serve --data ${sanitizeLine(folder)}\n`,
		`Clients, keys and people sign in as before; first-credentials.json was not in the backup.\n`,
	].join("");
}
