import { open } from "node:fs/promises";

/** Writes down which files a folder has: a name of a file is on the disk once its folder is. */
export async function syncFolder(folder: string): Promise<void> {
	// Windows opens no folders, and needs no such thing.
	if (process.platform === "win32") return;
	const handle = await open(folder, "r");
	try {
		await handle.sync();
	} finally {
		await handle.close();
	}
}
