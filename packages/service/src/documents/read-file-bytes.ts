import { constants } from "node:fs";
import { type FileHandle, lstat, open, realpath } from "node:fs/promises";
import { sep } from "node:path";
import { UnreadableError } from "./unreadable";

export interface ReadFileOptions {
	/** Real path of a folder: a file outside of it is refused, also one that a link leads to. Default: any file is read. */
	readonly within?: string | undefined;
	/** Default: files of any size are read. */
	readonly maxBytes?: number | undefined;
}

const MEBIBYTE = 1024 * 1024;

/** Windows has neither. A named pipe would wait for a writer when it is opened, and a link is resolved before. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

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
	{ within, maxBytes }: ReadFileOptions = {},
): Promise<Uint8Array> {
	const handle = await open(await resolveWithin(file, within), FLAGS);
	try {
		const status = await handle.stat();
		if (!status.isFile()) throw new UnreadableError("it is not a file");
		if (within !== undefined) await assertStillWithin(handle, file, within);
		if (maxBytes !== undefined && status.size > maxBytes) {
			const size = (status.size / MEBIBYTE).toFixed(1);
			throw new UnreadableError(`it is ${size} MiB large, and at most ${maxBytes / MEBIBYTE} MiB are read`);
		}
		return await handle.readFile();
	} finally {
		await handle.close();
	}
}

async function resolveWithin(file: string, within: string | undefined): Promise<string> {
	const real = await realpath(file);
	if (within !== undefined && !isWithin(real, within)) throw leadsOut();
	return real;
}

/** Folders on the way may have been replaced by links before the file was opened. */
async function assertStillWithin(handle: FileHandle, file: string, within: string): Promise<void> {
	const [opened, found] = await Promise.all([
		handle.stat({ bigint: true }),
		lstat(await resolveWithin(file, within), { bigint: true }),
	]);
	if (opened.ino !== found.ino || opened.dev !== found.dev) throw leadsOut();
}

const leadsOut = (): UnreadableError => new UnreadableError("a link on its path leads out of the folder");
