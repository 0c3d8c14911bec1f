import { randomUUID } from "node:crypto";
import { lstatSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { rename, rm, rmdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { ConfigurationError } from "@stemma/core/errors";
import { damagedArchiveError, unsupportedArchiveError } from "../archives/archive-error";
import { type ExtractedArchive, extractArchive } from "../archives/extract-archive";
import { lockDataFolder } from "../store/data-folder/data-folder-lock";
import { DATABASE_SUFFIXES, preparePrivateFolder } from "../store/data-folder/private-files";
import { syncFolder } from "../store/data-folder/sync-folder";
import {
	CURRENT_VERSIONS,
	listWorkspacesIn,
	readOwner,
	summarizeDatabase,
} from "../store/sqlite/open-snapshots";
import { StorageError } from "../store/storage-error";
import { type BackupManifest, type BackupPart, parseBackupManifest } from "./backup-manifest";

/** Options of a restoration. */
export interface RestoreBackupOptions {
	/** Called while the archive is read, in bytes. */
	readonly onProgress?: ((done: number, total: number, file: string) => void) | undefined;
	readonly signal?: AbortSignal | undefined;
}

/** A data folder that was restored. */
export interface RestoredBackup {
	readonly folder: string;
	readonly manifest: BackupManifest;
}

/**
 * Restores a backup into an empty folder, once all of it was checked: hashes, integrity, counts.
 *
 * @throws ConfigurationError `data_folder_not_empty`, `data_folder_in_use`; ArchiveError where the archive cannot be used;
 * `signal.reason` when it was stopped. The folder is empty then.
 */
export async function restoreBackup(
	file: string,
	into: string,
	{ onProgress, signal }: RestoreBackupOptions = {},
): Promise<RestoredBackup> {
	const folder = resolve(into);
	const isNew = lstatSync(folder, { throwIfNoEntry: false }) === undefined;
	assertEmpty(folder);
	preparePrivateFolder(folder);
	let isRestored = false;
	try {
		const lock = lockDataFolder(folder);
		const staging = join(folder, `.restoring-${randomUUID()}`);
		try {
			mkdirSync(staging, { mode: 0o700 });
			const manifest = await extractBackup(file, staging, { onProgress, signal });
			signal?.throwIfAborted();
			await moveIntoPlace(staging, folder);
			isRestored = true;
			return { folder, manifest };
		} finally {
			await rm(staging, { recursive: true, force: true });
			lock.release();
		}
	} finally {
		if (!isRestored) await removeOwnFiles(folder, isNew);
	}
}

function assertEmpty(folder: string): void {
	const status = lstatSync(folder, { throwIfNoEntry: false });
	if (status === undefined) return;
	const [found] = status.isDirectory()
		? readdirSync(folder).filter((name) => name !== "lost+found")
		: ["a file"];
	if (found === undefined) return;
	throw new ConfigurationError(
		status.isDirectory()
			? `The folder "${folder}" is not empty: it has "${found}".`
			: `"${folder}" is not a folder.`,
		{
			code: "data_folder_not_empty",
			hint: "Name a folder that is empty or does not exist. To replace a data folder, stop its service and move it away first.",
		},
	);
}

/** Extracts a backup into a folder and checks all of it. */
export async function extractBackup(
	file: string,
	folder: string,
	options: RestoreBackupOptions = {},
): Promise<BackupManifest> {
	const isExpected = (path: string): boolean => BACKUP_PATH.test(path);
	const archive = await extractArchive(file, folder, { ...options, isExpected });
	const manifest = parseBackupManifest(archive.manifest, file);
	assertParts(file, manifest, archive);
	for (const part of manifest.parts) {
		options.signal?.throwIfAborted();
		assertSound(file, folder, part);
	}
	assertComplete(file, folder, manifest);
	return manifest;
}

const BACKUP_PATH = /^(?:deployment|workspaces\/ws_[0-9a-z]{26})\.sqlite$/;

function assertParts(file: string, { parts }: BackupManifest, archive: ExtractedArchive): void {
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
function assertComplete(file: string, folder: string, { parts, left_out }: BackupManifest): void {
	if (!parts.some(({ path }) => path === "deployment.sqlite"))
		throw damagedArchiveError(file, "deployment.sqlite is missing");
	const paths = new Set(parts.map(({ path }) => path));
	const isSkipped = (id: string): boolean => left_out.some(({ workspace_id }) => workspace_id === id);
	for (const { id } of listWorkspacesIn(join(folder, "deployment.sqlite")))
		if (!paths.has(`workspaces/${id}.sqlite`) && !isSkipped(id))
			throw damagedArchiveError(file, `the file of the workspace ${id} is missing`);
}

/** The deployment comes last: without it, a service refuses to start. */
async function moveIntoPlace(staging: string, folder: string): Promise<void> {
	mkdirSync(join(staging, "workspaces"), { recursive: true, mode: 0o700 });
	await syncFolder(join(staging, "workspaces"));
	await rename(join(staging, "workspaces"), join(folder, "workspaces"));
	await rename(join(staging, "deployment.sqlite"), join(folder, "deployment.sqlite"));
	await syncFolder(folder);
}

/** Removes what a restoration that failed has made: it found the folder empty. */
async function removeOwnFiles(folder: string, isNew: boolean): Promise<void> {
	for (const suffix of DATABASE_SUFFIXES) rmSync(join(folder, `lock.sqlite${suffix}`), { force: true });
	if (isNew) await rmdir(folder).catch(() => undefined);
}
