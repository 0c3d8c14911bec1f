import { type FileHandle, open, stat } from "node:fs/promises";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { ConfigurationError } from "@stemma/core/errors";
import type { LazyContent } from "./upload-content";
import type { UploadFile } from "./upload-request";

/** Options of a file that is uploaded by its path, in Node. */
export interface PathFileOptions {
	/** Default: the last part of the path. */
	readonly name?: string;
	/** `true` for the path as it is given, or a text: the same source again replaces the document. Default: none. */
	readonly source?: string | boolean;
}

/** A file of this machine that is to be uploaded. */
export interface PathFile extends UploadFile {
	readonly file: LazyContent;
	readonly name: string;
}

/**
 * A file to upload by its path: read piece by piece as it is sent, and anew for each try. One that changes its size
 * while it is read fails the upload, with the same code.
 *
 * @param path - or a `file:` address.
 * @throws ConfigurationError `file_unreadable` when there is no such file, or it may not be read.
 */
export async function fileFromPath(path: string | URL, options: PathFileOptions = {}): Promise<PathFile> {
	const filePath = toFilePath(path);
	const { name = basename(filePath), source = false } = options;
	const file = await stat(filePath).catch((error: unknown) => {
		throw toUnreadableError(filePath, error);
	});
	if (!file.isFile()) throw createUnreadableError(filePath, "it is not a file");
	await assertReadable(filePath);
	return {
		file: { size: file.size, open: () => readChunks(filePath) },
		name,
		...(source === false ? {} : { source: source === true ? filePath : source }),
	};
}

/**
 * Checks that a file can be read, by opening it: the system decides who may, and not every system says so otherwise.
 */
async function assertReadable(path: string): Promise<void> {
	try {
		await (await open(path)).close();
	} catch (error) {
		throw toUnreadableError(path, error);
	}
}

function toFilePath(path: string | URL): string {
	if (typeof path === "string") return path;
	try {
		return fileURLToPath(path);
	} catch (cause) {
		throw new ConfigurationError(
			"`path` must be the path of a file, or an address that begins with `file:`.",
			{
				cause,
			},
		);
	}
}

const CHUNK_BYTES = 65_536;

async function* readChunks(path: string): AsyncGenerator<Uint8Array> {
	let handle: FileHandle | undefined;
	try {
		handle = await open(path);
		const { size } = await handle.stat();
		let loaded = 0;
		for (;;) {
			const { buffer, bytesRead } = await handle.read(new Uint8Array(CHUNK_BYTES), 0, CHUNK_BYTES);
			if (bytesRead === 0) break;
			loaded += bytesRead;
			yield buffer.subarray(0, bytesRead);
		}
		// Files that the system makes up as they are read say 0.
		if (size > 0 && size !== loaded)
			throw createUnreadableError(path, `it changed from ${size} to ${loaded} bytes while it was read`, {
				hint: "Upload it again when nothing writes to it.",
			});
	} catch (error) {
		throw toUnreadableError(path, error);
	} finally {
		await handle?.close();
	}
}

const PROBLEMS: Readonly<Record<string, string>> = {
	ENOENT: "it does not exist",
	ENOTDIR: "it does not exist",
	EACCES: "this user may not read it",
	EPERM: "this user may not read it",
};

function toUnreadableError(path: string, cause: unknown): ConfigurationError {
	if (ConfigurationError.is(cause)) return cause;
	const { code = "" } = cause as NodeJS.ErrnoException;
	return createUnreadableError(path, PROBLEMS[code] ?? `the system says ${code}`, { cause });
}

const createUnreadableError = (path: string, problem: string, options: object = {}): ConfigurationError =>
	new ConfigurationError(`The file ${JSON.stringify(path)} cannot be read: ${problem}.`, {
		code: "file_unreadable",
		hint: "Check the path: a relative one begins in the folder where the program was started.",
		...options,
	});
