import { createHash, randomUUID } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { lstat, mkdir, rename, rm, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import { createGzip } from "node:zlib";
import type { TarPackController } from "modern-tar";
import { syncFolder } from "../store/data-folder/sync-folder";
import { ArchiveError, toArchiveFileError } from "./archive-error";

/** Entry of an archive, as it was written. */
export interface ArchivePart {
	readonly path: string;
	readonly bytes: number;
	/** Hexadecimal. */
	readonly sha256: string;
}

/** Archive that is being written. Entries are added one after the other. */
export interface ArchiveWriter {
	/** Folder on the disk of the archive for files on their way into it. It is removed at the end. */
	readonly workFolder: string;
	addFile(path: string, file: string): Promise<ArchivePart>;
	/** @param bytes - size of all pieces together. */
	addPieces(path: string, bytes: number, pieces: Iterable<Uint8Array>): Promise<ArchivePart>;
}

export interface WriteArchiveOptions {
	/** Replaces a file of that name. Default false. */
	readonly canReplace?: boolean | undefined;
	/** Compresses by gzip. Default false. */
	readonly isCompressed?: boolean;
	readonly signal?: AbortSignal | undefined;
}

/**
 * Writes a tar archive that its owner alone can read. It gets its name when all of it is on the disk; until then, it and
 * its work folder have names of their own, and both are removed when anything fails.
 *
 * @throws ArchiveError `archive_exists`, `archive_missing`, `archive_unwritable`, `archive_no_space`
 */
export async function writeArchive<Result>(
	file: string,
	options: WriteArchiveOptions,
	work: (archive: ArchiveWriter) => Promise<Result>,
): Promise<Result> {
	const path = resolve(file);
	await assertWritable(path, options.canReplace ?? false);
	const draft = `${path}.${randomUUID()}.tmp`;
	const workFolder = `${draft}.parts`;
	try {
		await mkdir(workFolder, { mode: 0o700 });
		const result = await writeDraft(draft, workFolder, options, work);
		options.signal?.throwIfAborted();
		await rename(draft, path);
		await syncFolder(dirname(path));
		return result;
	} catch (error) {
		await rm(draft, { force: true });
		throw toArchiveFileError(error, path);
	} finally {
		await rm(workFolder, { recursive: true, force: true });
	}
}

async function assertWritable(path: string, canReplace: boolean): Promise<void> {
	const folder = await stat(dirname(path)).catch(() => undefined);
	if (!folder?.isDirectory())
		throw new ArchiveError(`There is no folder ${dirname(path)}.`, {
			code: "archive_missing",
			hint: "Create it, or give another path.",
		});
	const found = await lstat(path).catch(() => undefined);
	if (found === undefined || (canReplace && found.isFile())) return;
	throw new ArchiveError(`${path} exists.`, {
		code: "archive_exists",
		hint: found.isFile() ? "Give another path, or add --force to replace it." : "Give another path.",
	});
}

async function writeDraft<Result>(
	draft: string,
	workFolder: string,
	{ isCompressed = false, signal }: WriteArchiveOptions,
	work: (archive: ArchiveWriter) => Promise<Result>,
): Promise<Result> {
	const { createTarPacker } = await import("modern-tar");
	const { readable, controller } = createTarPacker();
	const target = createWriteStream(draft, { flags: "wx", mode: 0o600, flush: true });
	const source = Readable.fromWeb(readable as unknown as NodeReadableStream<Uint8Array>);
	const written = isCompressed ? pipeline(source, createGzip(), target) : pipeline(source, target);
	// What fails first is thrown below.
	written.catch(() => undefined);
	try {
		const result = await work(toWriter(controller, workFolder, signal));
		controller.finalize();
		await written;
		return result;
	} catch (error) {
		controller.error(error);
		await written.catch(() => undefined);
		throw error;
	}
}

function toWriter(
	controller: TarPackController,
	workFolder: string,
	signal: AbortSignal | undefined,
): ArchiveWriter {
	async function add(
		path: string,
		bytes: number,
		pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
	): Promise<ArchivePart> {
		const hash = createHash("sha256");
		const writer = controller.add({ name: path, size: bytes, mode: 0o600, mtime: new Date(0) }).getWriter();
		for await (const piece of pieces) {
			signal?.throwIfAborted();
			hash.update(piece);
			await writer.write(piece);
		}
		await writer.close();
		return { path, bytes, sha256: hash.digest("hex") };
	}
	return {
		workFolder,
		addFile: async (path, file) => add(path, (await stat(file)).size, readPieces(file)),
		addPieces: add,
	};
}

const READ_BYTES = 1024 * 1024;

async function* readPieces(file: string): AsyncGenerator<Uint8Array> {
	// A stream of a file gives buffers unless it is given an encoding.
	for await (const piece of createReadStream(file, { highWaterMark: READ_BYTES }) as AsyncIterable<Buffer>)
		yield new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength);
}
