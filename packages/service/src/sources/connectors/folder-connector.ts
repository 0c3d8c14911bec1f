import { stat } from "node:fs/promises";
import { basename, join } from "node:path";
import type { FolderSourceSettings } from "@stemma/client";
import { listFiles, readFileBytes, type Unreadable } from "@stemma/documents/folder";
import { SourceError } from "../source-error";
import type { Connector, ScanContext, SourceItem } from "./connector";
import { type FolderAccess, resolveFolder } from "./folder-access";
import { createPathFilter } from "./path-patterns";

/**
 * Connector of folders on the service's machine. Hidden files, `node_modules` and the data folders of services are left out;
 * no link leads out of the folder.
 */
export const createFolderConnector = (access: FolderAccess): Connector<FolderSourceSettings> => ({
	async *scan({ path, ...patterns }, context) {
		const folder = await resolveFolder(path, access);
		const { paths, rootPath, unreadable } = await listFiles(folder, { signal: context.signal });
		const matches = createPathFilter(patterns);
		for (const key of paths) if (matches(key)) yield readItem(key, rootPath ?? folder, context);
		const [first] = unreadable;
		// Documents of what cannot be listed are not gone.
		if (first !== undefined) throw incompleteError(first);
	},
});

const incompleteError = ({ path, reason }: Unreadable): SourceError =>
	new SourceError(`"${path}" cannot be listed: ${reason}.`, {
		code: "folder_unreadable",
		hint: "Let the user of the service read it, or name a folder beside it. Files that were found are stored; none was removed.",
	});

async function readItem(key: string, root: string, { find, limits }: ScanContext): Promise<SourceItem> {
	const file = join(root, key);
	try {
		const { size, mtimeMs } = await stat(file);
		const known = await find(key);
		const version = `${size}-${mtimeMs}`;
		if (known?.version === version) return { kind: "unchanged", key };
		if (size > limits.maxItemBytes)
			return {
				...{ kind: "skipped", key, code: "too_large" },
				message: `It is larger than ${limits.maxItemBytes.toLocaleString("en")} bytes.`,
			};
		const bytes = await readFileBytes(file, { root, maxBytes: limits.maxItemBytes });
		return {
			...{ kind: "content", key, version, fileName: basename(key), title: null },
			...{ url: null, mediaType: null, bytes },
		};
	} catch (error) {
		const message = error instanceof Error ? error.message : String(error);
		return { kind: "failed", key, code: "file_unreadable", message: `It cannot be read: ${message}.` };
	}
}
