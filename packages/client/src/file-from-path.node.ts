import { type FileHandle, open, stat } from "node:fs/promises";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { ConfigurationError } from "@stemma/core/errors";
import type { LazyContent } from "./upload-content";
import type { UploadFile } from "./upload-request";

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
 * A file to upload by its path: read piece by piece as it is sent, and anew for each try.
 *
 * @throws ConfigurationError `file_unreadable` when there is no such file, or it may not be read.
 */
export async function fileFromPath(path: string | URL, options: PathFileOptions = {}): Promise<PathFile> {
	const place = typeof path === "string" ? path : fileURLToPath(path);
	const { name = basename(place), source = false } = options;
	const file = await stat(place).catch((error: unknown) => {
		throw unreadable(place, error);
	});
	if (!file.isFile()) throw unreadable(place);
	return {
		file: { size: file.size, open: () => readPieces(place) },
		name,
		...(source === false ? {} : { source: source === true ? place : source }),
	};
}

const PIECE_BYTES = 65_536;

async function* readPieces(path: string): AsyncGenerator<Uint8Array> {
	let handle: FileHandle | undefined;
	try {
		handle = await open(path);
		for (;;) {
			const { buffer, bytesRead } = await handle.read(new Uint8Array(PIECE_BYTES), 0, PIECE_BYTES);
			if (bytesRead === 0) return;
			yield buffer.subarray(0, bytesRead);
		}
	} catch (error) {
		throw unreadable(path, error);
	} finally {
		await handle?.close();
	}
}

const PROBLEMS: Readonly<Record<string, string>> = {
	ENOENT: "there is none",
	ENOTDIR: "there is none",
	EACCES: "this user may not read it",
	EPERM: "this user may not read it",
};

function unreadable(path: string, cause?: unknown): ConfigurationError {
	const code = (cause as NodeJS.ErrnoException | undefined)?.code;
	const problem = cause === undefined ? "it is no file" : (PROBLEMS[code ?? ""] ?? `the system says ${code}`);
	return new ConfigurationError(`The file ${JSON.stringify(path)} cannot be read: ${problem}.`, {
		code: "file_unreadable",
		hint: "Look at the path: a relative one begins in the folder where the program was started.",
		...(cause === undefined ? {} : { cause }),
	});
}
