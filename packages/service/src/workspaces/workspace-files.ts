import { rm } from "node:fs/promises";
import { join } from "node:path";
import { syncFolder } from "../store/sync-folder";

/** @param folder - that of all workspaces. */
export const toWorkspaceFile = (folder: string, id: string): string => join(folder, `${id}.sqlite`);

/** What SQLite keeps beside a file; the file itself goes last. */
const SUFFIXES = ["-wal", "-shm", "-journal", ""] as const;

/** Deletes the files of a workspace that is closed. Once this resolves, a power cut brings none of them back. */
export async function deleteWorkspaceFiles(folder: string, id: string): Promise<void> {
	for (const suffix of SUFFIXES) await rm(`${toWorkspaceFile(folder, id)}${suffix}`, { force: true });
	await syncFolder(folder);
}
