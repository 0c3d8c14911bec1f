import { constants } from "node:fs";
import { type FileHandle, lstat, open, realpath } from "node:fs/promises";
import { sep } from "node:path";
import { UnreadableError } from "../unreadable-error";

/** Options of reading a regular file, which must lie within a folder after links are resolved. */
export interface ReadFileOptions {
	/** Real path of a folder: a file outside of it is refused, also one that a link leads to. Default: any file is read. */
	readonly root?: string | undefined;
	/** Default: files of any size are read. */
	readonly maxBytes?: number | undefined;
}

const MEBIBYTE = 1024 * 1024;

/** Windows has neither. A named pipe would wait for a writer when it is opened, and a link is resolved before. */
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** Tells whether a real path is a folder, or in it. */
export const isWithin = (path: string, folder: string): boolean =>
	path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);

/**
 * The content of a regular file.
 *
 * @throws UnreadableError, and what the file system throws.
 */
export async function readFileBytes(
	file: string,
	{ root, maxBytes }: ReadFileOptions = {},
): Promise<Uint8Array> {
	const handle = await open(await resolveInRoot(file, root), OPEN_FLAGS);
	try {
		const status = await handle.stat();
		if (!status.isFile()) throw new UnreadableError("it is not a file");
		if (root !== undefined) await assertUnmoved(handle, file, root);
		if (maxBytes !== undefined && status.size > maxBytes) {
			const size = (status.size / MEBIBYTE).toFixed(1);
			throw new UnreadableError(`it is ${size} MiB large, and at most ${maxBytes / MEBIBYTE} MiB are read`);
		}
		return await handle.readFile();
	} finally {
		await handle.close();
	}
}

async function resolveInRoot(file: string, root: string | undefined): Promise<string> {
	const real = await realpath(file);
	if (root !== undefined && !isWithin(real, root)) throw linkOutsideError();
	return real;
}

/** Folders on the way may have been replaced by links before the file was opened. */
async function assertUnmoved(handle: FileHandle, file: string, root: string): Promise<void> {
	const [opened, found] = await Promise.all([
		handle.stat({ bigint: true }),
		lstat(await resolveInRoot(file, root), { bigint: true }),
	]);
	if (opened.ino !== found.ino || opened.dev !== found.dev) throw linkOutsideError();
}

const linkOutsideError = (): UnreadableError =>
	new UnreadableError("a link on its path leads out of the folder");
