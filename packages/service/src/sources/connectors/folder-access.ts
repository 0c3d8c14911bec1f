import { realpath, stat } from "node:fs/promises";
import { isWithin } from "@stemma/documents/folder";
import { SourceError } from "../source-error";

/** Folders that may be sources. */
export interface FolderAccess {
	/** Absolute paths that the operator allows, with all below them. */
	readonly allowed: readonly string[];
	/** Data folder of this service, which never is one. */
	readonly dataFolder: string;
}

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
		hint: "Check the path, and that its disk is mounted. The source's documents stay.",
	});
}

const notAllowedError = (): SourceError =>
	new SourceError("The operator of the service does not allow this folder.", {
		code: "folder_not_allowed",
		hint: "The operator lists the folders that may be sources in `sources.folders` of the configuration (STEMMA_SOURCE_FOLDERS).",
	});
