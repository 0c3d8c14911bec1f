import { join } from "node:path";
import { damagedArchiveError, unsupportedArchiveError } from "../../archives/archive-error";
import { extractArchive } from "../../archives/extract-archive";
import type { ReadArchive } from "../../archives/read-archive";
import {
	CURRENT_VERSIONS,
	listWorkspacesIn,
	readOwner,
	summarizeDatabase,
} from "../../store/sqlite/open-snapshots";
import { StorageError } from "../../store/storage-error";
import { type BackupPart, type DataFolderManifest, parseBackupManifest } from "../backup-manifest";
import type { RestoreBackupOptions } from "../backup-options";
import { isDataFolderPath } from "../backup-storage";

/**
 * Extracts a backup of a data folder into a folder and checks all of it.
 *
 * @throws ArchiveError; `archive_other_storage` for that of a database
 */
export async function extractBackup(
	file: string,
	folder: string,
	options: RestoreBackupOptions = {},
): Promise<DataFolderManifest> {
	const isExpected = (path: string): boolean => isDataFolderPath(file, path);
	const archive = await extractArchive(file, folder, { ...options, isExpected });
	const manifest = parseBackupManifest(archive.manifest, file);
	if (manifest.storage !== "sqlite") throw damagedArchiveError(file, "its manifest is that of a database");
	assertParts(file, manifest, archive);
	for (const part of manifest.parts) {
		options.signal?.throwIfAborted();
		assertSound(file, folder, part);
	}
	assertComplete(file, folder, manifest);
	return manifest;
}

function assertParts(file: string, { parts }: DataFolderManifest, archive: ReadArchive): void {
	if (parts.length !== archive.parts.size)
		throw damagedArchiveError(file, "its manifest lists other files than it holds");
	for (const { path, bytes, sha256 } of parts) {
		const found = archive.parts.get(path);
		if (found === undefined) throw damagedArchiveError(file, `${path} is missing`);
		if (found.bytes !== bytes || found.sha256 !== sha256)
			throw damagedArchiveError(file, `${path} has changed since it was written`);
	}
}

function assertSound(
	file: string,
	folder: string,
	{ path, schema_version, tables, workspace_id }: BackupPart,
): void {
	const database = join(folder, path);
	const known = path === "deployment.sqlite" ? CURRENT_VERSIONS.deployment : CURRENT_VERSIONS.workspace;
	if (schema_version > known)
		throw unsupportedArchiveError(
			file,
			`${path} has version ${schema_version}, this Stemma supports up to ${known}`,
		);
	const summary = summarize(file, database, path);
	if (summary.damage.length > 0) throw damagedArchiveError(file, `${path}: ${summary.damage.join("; ")}`);
	if (summary.version !== schema_version)
		throw damagedArchiveError(file, `${path} has version ${summary.version}, not ${schema_version}`);
	const names = new Set([...Object.keys(tables), ...Object.keys(summary.tables)]);
	for (const name of names)
		if (tables[name] !== summary.tables[name])
			throw damagedArchiveError(
				file,
				`${path} has ${summary.tables[name] ?? 0} rows in ${name}, not ${tables[name] ?? 0}`,
			);
	const owner = workspace_id === undefined ? undefined : readOwner(database);
	if (owner !== undefined && `workspaces/${owner}.sqlite` !== path)
		throw damagedArchiveError(file, `${path} belongs to the workspace ${owner}`);
}

function summarize(file: string, database: string, path: string) {
	try {
		return summarizeDatabase(database, false);
	} catch (error) {
		throw StorageError.is(error) ? damagedArchiveError(file, `${path} is no database`, error) : error;
	}
}

/** Each workspace has its file, unless the manifest says that it was left out. */
function assertComplete(file: string, folder: string, { parts, left_out }: DataFolderManifest): void {
	if (!parts.some(({ path }) => path === "deployment.sqlite"))
		throw damagedArchiveError(file, "deployment.sqlite is missing");
	const paths = new Set(parts.map(({ path }) => path));
	const isSkipped = (id: string): boolean => left_out.some(({ workspace_id }) => workspace_id === id);
	for (const { id } of listWorkspacesIn(join(folder, "deployment.sqlite")))
		if (!paths.has(`workspaces/${id}.sqlite`) && !isSkipped(id))
			throw damagedArchiveError(file, `the file of the workspace ${id} is missing`);
}
