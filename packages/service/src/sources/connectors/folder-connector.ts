import { realpath, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import type { FolderSourceSettings } from "@stemma/client";
import { isWithin, listFiles, readFileBytes, type Unreadable } from "@stemma/documents/folder";
import { SourceError } from "../source-error";
import type { Connector, ScanContext, SourceItem } from "./connector";
import { createPathFilter } from "./path-patterns";

/** Folders that may be sources. */
export interface FolderAccess {
	/** Absolute paths that the operator allows, with all below them. */
	readonly allowed: readonly string[];
	/** Data folder of this service, which never is one. */
	readonly dataFolder: string;
}

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

/**
 * Resolves a folder to its real path, which must be allowed.
 *
 * @throws SourceError `folder_not_allowed`, `folder_not_found`.
 */
export async function resolveFolder(path: string, { allowed, dataFolder }: FolderAccess): Promise<string> {
	const real = await realpath(path).catch(() => undefined);
	const toReal = (root: string): Promise<string> => realpath(root).catch(() => root);
	const roots = await Promise.all(allowed.map(toReal));
	const isAllowed = roots.some((root) => isWithin(real ?? path, root));
	// Folders that are not allowed are not told apart from those that do not exist.
	if (!isAllowed || isWithin(real ?? path, await toReal(dataFolder))) throw notAllowedError();
	if (real !== undefined && (await stat(real)).isDirectory()) return real;
	throw new SourceError("The folder does not exist.", {
		code: "folder_not_found",
		hint: "Check the path, and whether its disk is mounted. Its documents stay.",
	});
}

const notAllowedError = (): SourceError =>
	new SourceError("The operator of the service does not allow this folder.", {
		code: "folder_not_allowed",
		hint: "The operator lists the folders that may be sources in `sources.folders` of the configuration (STEMMA_SOURCE_FOLDERS).",
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
