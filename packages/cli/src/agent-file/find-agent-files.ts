import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { ConfigurationError } from "@stemma/core/errors";
import { isFolder } from "../connection/data-folder";
import { report } from "../terminal/print";
import { sanitizeLine, type Terminal } from "../terminal/terminal";

/**
 * Files as they were named, and of folders the `.json` files that stand directly in them, as the runtime reads them. Says
 * which subfolders it left out.
 *
 * @throws ConfigurationError for a folder without any.
 */
export async function findAgentFiles(
	terminal: Pick<Terminal, "stderr">,
	paths: readonly string[],
): Promise<string[]> {
	const found = await Promise.all(
		paths.map(async (path) => ((await isFolder(path)) ? listFolder(path) : { files: [path], folders: [] })),
	);
	const leftOut = found.flatMap(({ folders }) => folders);
	if (leftOut.length > 0)
		report(terminal, "note", `Subfolders are not read: ${sanitizeLine(leftOut.join(", "))}.`);
	return found.flatMap(({ files }) => files);
}

interface FolderEntries {
	readonly files: readonly string[];
	readonly folders: readonly string[];
}

async function listFolder(folder: string): Promise<FolderEntries> {
	const entries = await readdir(folder, { withFileTypes: true }).catch((cause) => {
		throw new ConfigurationError(`${folder}: The folder cannot be read. Check its permissions.`, { cause });
	});
	const shown = entries.filter(({ name }) => !name.startsWith("."));
	const isSubfolder = await Promise.all(shown.map(({ name }) => isFolder(join(folder, name))));
	const pick = (folders: boolean): string[] =>
		shown
			.filter((_, index) => isSubfolder[index] === folders)
			.map(({ name }) => join(folder, name))
			.sort();
	const listing = { files: pick(false).filter((file) => file.endsWith(".json")), folders: pick(true) };
	if (listing.files.length === 0) throw noAgentFiles(folder, listing.folders);
	return listing;
}

function noAgentFiles(folder: string, folders: readonly string[]): ConfigurationError {
	const message = `${folder}: There are no agent files (*.json) in this folder.`;
	return folders.length === 0
		? new ConfigurationError(message)
		: new ConfigurationError(message, { hint: `Subfolders are not read: ${folders.join(", ")}.` });
}
