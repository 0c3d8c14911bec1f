import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { ConfigurationError } from "@stemma/core/errors";

/**
 * Files as they were named, and of folders the `.json` files that stand directly in them, as the runtime reads them.
 *
 * @throws ConfigurationError for a folder without any.
 */
export async function findAgentFiles(paths: readonly string[]): Promise<string[]> {
	const files = await Promise.all(
		paths.map(async (path) => ((await isFolder(path)) ? listFolder(path) : [path])),
	);
	return files.flat();
}

/** What is not there is told when it is read. */
const isFolder = (path: string): Promise<boolean> =>
	stat(path).then(
		(found) => found.isDirectory(),
		() => false,
	);

async function listFolder(folder: string): Promise<string[]> {
	const names = await readdir(folder).catch((cause) => {
		throw new ConfigurationError(`${folder}: The folder cannot be read. Check its permissions.`, { cause });
	});
	const files = names.filter((name) => name.endsWith(".json") && !name.startsWith(".")).sort();
	if (files.length === 0)
		throw new ConfigurationError(`${folder}: There are no agent files (*.json) in this folder.`);
	return files.map((name) => join(folder, name));
}
