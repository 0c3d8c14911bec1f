import { formatBytes } from "@stemma/core/internal";
import type { Backup, BackupManifest } from "@stemma/service";
import { runUntilInterrupted } from "../../terminal/interrupt";
import { type JsonOption, print, report } from "../../terminal/print";
import { createProgressBar } from "../../terminal/progress-bar";
import { sanitizeLine, type Terminal } from "../../terminal/terminal";
import { count } from "../../terminal/text/count";
import { formatTable } from "../../terminal/text/table";
import { type DataFolderOptions, readDataConfiguration } from "./data-configuration";

/** Options of `stemma backup`. */
export interface BackupCommandOptions extends JsonOption, DataFolderOptions {
	readonly force: boolean;
	readonly skipDamaged: boolean;
}

const STOPPED = "Stopped. No backup was written.";

/** Writes a backup of a data folder or a database. Returns the exit code: 1 where a workspace was left out. */
export function backup(terminal: Terminal, file: string, options: BackupCommandOptions): Promise<number> {
	return runUntilInterrupted(terminal, STOPPED, async (signal) => {
		const { createBackup } = await import("@stemma/service");
		const configuration = await readDataConfiguration(options);
		const bar = createProgressBar(terminal, "copying");
		try {
			const made = await createBackup(configuration, file, {
				canReplace: options.force,
				skipsDamaged: options.skipDamaged,
				onProgress: bar.update,
				signal,
			});
			bar.clear();
			print(terminal, options, toBackupWire(made), () => formatBackup(made));
			reportKeys(terminal, made.manifest);
			for (const { message } of made.manifest.left_out) report(terminal, "skipped", sanitizeLine(message));
			return made.manifest.left_out.length === 0 ? 0 : 1;
		} finally {
			bar.clear();
		}
	});
}

const toBackupWire = ({ file, bytes, manifest }: Backup): object => ({ file, bytes, ...manifest });

function formatBackup({ file, bytes, manifest }: Backup): string {
	return `Backed up ${count(countWorkspaces(manifest), "workspace")} to ${sanitizeLine(file)} (${formatBytes(bytes)}).\n${formatParts(manifest)}`;
}

/** Counts the workspaces of a backup: a file each, or rows of a database. */
export const countWorkspaces = ({ storage, parts }: BackupManifest): number =>
	storage === "sqlite"
		? parts.filter(({ workspace_id }) => workspace_id !== undefined).length
		: (parts[0]?.tables["stemma_deployment.workspaces"] ?? 0);

/** Table of what is in a backup. */
export const formatParts = ({ parts }: BackupManifest): string =>
	formatTable([
		["FILE", "WORKSPACE", "SIZE", "VERSION", "ROWS"],
		...parts.map(({ path, workspace_name = "", bytes, schema_version, tables }) => [
			path,
			sanitizeLine(workspace_name),
			formatBytes(bytes),
			String(schema_version),
			Object.values(tables)
				.reduce((sum, rows) => sum + rows, 0)
				.toLocaleString("en-US"),
		]),
	]);

/** Says which encryption keys open what is in a backup, as they are not in it. */
export function reportKeys(terminal: Terminal, { encryption_keys: keys }: BackupManifest): void {
	if (keys.length === 0) return;
	const names = keys.map(({ id, values }) => `"${sanitizeLine(id)}" (${count(values, "credential")})`);
	report(
		terminal,
		"note",
		`Encryption keys are not in the backup. Keep with your secrets what opens it: ${names.join(", ")}.`,
	);
}
