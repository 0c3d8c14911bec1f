import { readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { toFileError } from "../storage-error";
import { syncFolder } from "./sync-folder";

/** Path of the folder with the files of all workspaces. */
export const toWorkspacesFolder = (dataFolder: string): string => join(dataFolder, "workspaces");

/** @param folder - that of all workspaces. */
export const toWorkspaceFile = (folder: string, id: string): string => join(folder, `${id}.sqlite`);

const FILE_NAME = /^(ws_[0-9a-z]{26})\.sqlite$/;

/** Ids of the workspaces that have a file, known or not. */
export const listWorkspaceFiles = (folder: string): readonly string[] =>
	readdirSync(folder).flatMap((name) => FILE_NAME.exec(name)?.[1] ?? []);

/** Suffixes of the files that SQLite keeps beside a file; the file itself is deleted last. */
const SUFFIXES = ["-wal", "-shm", "-journal", ""] as const;

/**
 * Deletes the files of a workspace that is closed. Once this resolves, a power cut brings none of them back.
 *
 * @throws StorageError `storage_unavailable` where one of them cannot be deleted, such as a folder in its place.
 */
export async function deleteWorkspaceFiles(folder: string, id: string): Promise<void> {
	for (const suffix of SUFFIXES) {
		const file = `${toWorkspaceFile(folder, id)}${suffix}`;
		await rm(file, { force: true }).catch((error: unknown) => {
			throw toFileError(error, file);
		});
	}
	await syncFolder(folder);
}
