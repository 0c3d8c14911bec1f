import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { ConfigurationError } from "@stemma/core/errors";
import { sanitizeLine, style, type Terminal } from "../terminal/terminal";

/**
 * Files as they were named, and of folders the `.json` files that stand directly in them, as the runtime reads them. Says
 * which subfolders it left out.
 *
 * @throws ConfigurationError for a folder without any.
 */
export async function findAgentFiles(
	{ stderr }: Pick<Terminal, "stderr">,
	paths: readonly string[],
): Promise<string[]> {
	const found = await Promise.all(
		paths.map(async (path) => ((await isFolder(path)) ? listFolder(path) : { files: [path], folders: [] })),
	);
	const leftOut = found.flatMap(({ folders }) => folders);
	if (leftOut.length > 0)
		stderr.write(
			`${style(stderr, "yellow", "note:")} Subfolders are not read: ${sanitizeLine(leftOut.join(", "))}.\n`,
		);
	return found.flatMap(({ files }) => files);
}

/** Checks whether a path is a folder. A missing file is reported when it is read. */
const isFolder = (path: string): Promise<boolean> =>
	stat(path).then(
		(found) => found.isDirectory(),
		() => false,
	);

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
