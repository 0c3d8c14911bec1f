import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { lstat, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { DocumentFile } from "@stemma/client";
import { ConfigurationError } from "@stemma/core/errors";
import { isFolder } from "../connection/data-folder";

/**
 * Saves the file of a document: under its own name in a folder, else as that file. A download that breaks off leaves
 * nothing behind.
 *
 * @param canReplace - whether a file of that name is replaced.
 * @returns the path of the saved file.
 * @throws ConfigurationError `file_exists`, `folder_not_found`
 */
export async function saveFile(
	file: DocumentFile,
	out: string,
	{ canReplace }: { readonly canReplace: boolean },
): Promise<string> {
	const path = (await isFolder(out)) ? join(out, toFileName(file.name)) : out;
	const draft = `${path}.${randomUUID()}.tmp`;
	try {
		await assertCanWrite(path, canReplace);
		await pipeline(file, createWriteStream(draft, { flags: "wx" }));
		await rename(draft, path);
		return path;
	} catch (error) {
		file.close();
		await rm(draft, { force: true });
		throw error;
	}
}

/** A name without folders: what a service says decides on no place. */
function toFileName(name: string): string {
	const last = basename(name.replaceAll("\\", "/"));
	return ["", ".", ".."].includes(last) ? "document" : last;
}

async function assertCanWrite(path: string, canReplace: boolean): Promise<void> {
	if (!(await isFolder(dirname(path))))
		throw new ConfigurationError(`There is no folder ${dirname(path)}.`, {
			code: "folder_not_found",
			hint: "Create it, or give another path with --out.",
		});
	const isFree = await lstat(path).then(
		() => false,
		() => true,
	);
	if (isFree || canReplace) return;
	throw new ConfigurationError(`${path} exists.`, {
		code: "file_exists",
		hint: "Give another path with --out, or add --force to replace it.",
	});
}
