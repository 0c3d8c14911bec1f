import { formatBytes } from "@stemma/core/internal";
import type { ExportedWorkspace, ImportedWorkspace } from "@stemma/service";
import { runUntilInterrupted } from "../../terminal/interrupt";
import { type JsonOption, print, report } from "../../terminal/print";
import { createProgressBar } from "../../terminal/progress-bar";
import { sanitizeLine, type Terminal } from "../../terminal/terminal";
import { count } from "../../terminal/text/count";
import { type DataFolderOptions, readDataConfiguration } from "./data-configuration";

interface TransferOptions extends JsonOption, DataFolderOptions {
	readonly transferKey?: string;
	readonly withoutSecrets: boolean;
}

/** Options of `stemma export`. */
export interface ExportCommandOptions extends TransferOptions {
	readonly workspace: string;
	readonly withoutVectors: boolean;
	readonly force: boolean;
}

/** Options of `stemma import`. */
export interface ImportCommandOptions extends TransferOptions {
	readonly name?: string;
}

const EXPORT_STOPPED = "Stopped. No archive was written.";
const IMPORT_STOPPED = "Stopped. The data folder is as it was.";

/** Writes a workspace as an archive. Returns the exit code. */
export function exportCommand(
	terminal: Terminal,
	file: string,
	options: ExportCommandOptions,
): Promise<number> {
	return runUntilInterrupted(terminal, EXPORT_STOPPED, async (signal) => {
		const { exportWorkspace, openTransferKey } = await import("@stemma/service");
		const configuration = await readDataConfiguration(options);
		const { transferKey: keyFile, workspace, withoutSecrets, withoutVectors, force } = options;
		const opened = keyFile === undefined ? undefined : await openTransferKey(keyFile, true);
		if (opened?.isNew)
			report(terminal, "note", `${keyFile} is new. The import needs it. Move it apart from the archive.`);
		const bar = createProgressBar(terminal, "exporting");
		try {
			const exported = await exportWorkspace(configuration, file, {
				...{ workspace, withoutSecrets, withoutVectors, signal },
				transferKey: opened?.key,
				canReplace: force,
				onProgress: bar.update,
			});
			bar.clear();
			print(terminal, options, toExportWire(exported), () => formatExport(exported));
			return 0;
		} finally {
			bar.clear();
		}
	});
}

const toExportWire = ({ file, bytes, manifest }: ExportedWorkspace): object => ({ file, bytes, ...manifest });

function formatExport({ file, bytes, manifest }: ExportedWorkspace): string {
	const { workspace, contents, parts } = manifest;
	const rows = parts.reduce((sum, part) => sum + part.rows, 0);
	return `Exported "${sanitizeLine(workspace.name)}" (${workspace.id}) to ${sanitizeLine(file)} (${formatBytes(bytes)}): ${count(rows, "row")}, ${count(contents, "file")} of documents.\n`;
}

/** Imports a workspace. Returns the exit code. */
export function importCommand(
	terminal: Terminal,
	file: string,
	options: ImportCommandOptions,
): Promise<number> {
	return runUntilInterrupted(terminal, IMPORT_STOPPED, async (signal) => {
		const { importWorkspace, openTransferKey } = await import("@stemma/service");
		const configuration = await readDataConfiguration(options);
		const { transferKey: keyFile, name, withoutSecrets } = options;
		const opened = keyFile === undefined ? undefined : await openTransferKey(keyFile, false);
		const bar = createProgressBar(terminal, "importing");
		try {
			const imported = await importWorkspace(configuration, file, {
				...{ name, withoutSecrets, signal },
				transferKey: opened?.key,
				onProgress: bar.update,
			});
			bar.clear();
			print(terminal, options, toImportWire(imported), () => formatImport(imported));
			if (!imported.manifest.has_vectors)
				report(terminal, "note", 'The archive has no vectors. "stemma kb reindex" computes them again.');
			return 0;
		} finally {
			bar.clear();
		}
	});
}

const toImportWire = ({ folder, workspaceId, name, credentials, manifest }: ImportedWorkspace): object => ({
	folder,
	workspace_id: workspaceId,
	name,
	credentials,
	manifest,
});

const formatImport = ({ folder, workspaceId, name, credentials }: ImportedWorkspace): string =>
	`Imported "${sanitizeLine(name)}" (${workspaceId}) into ${sanitizeLine(folder)}, with ${count(credentials, "credential")}. Start the service to use it; its clients and client keys work as before.\n`;
