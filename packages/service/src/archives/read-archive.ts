import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import type { TarHeader } from "modern-tar";
import {
	ArchiveError,
	damagedArchiveError,
	incompleteArchiveError,
	toArchiveFileError,
	unsafeArchiveError,
} from "./archive-error";
import type { ArchivePart } from "./write-archive";

/** Name of the entry that ends an archive and says what is in it. */
export const MANIFEST = "manifest.json";

/** An archive that was read to its end. */
export interface ReadArchive {
	/** Text of the manifest; nothing in it was checked. */
	readonly manifest: string;
	/** Entries by path, without the manifest. */
	readonly parts: ReadonlyMap<string, ArchivePart>;
}

export interface ReadArchiveOptions {
	/** Tells which paths may be in the archive, besides the manifest. Anything else is refused. */
	readonly isExpected: (path: string) => boolean;
	readonly onProgress?: ((done: number, total: number, path: string) => void) | undefined;
	readonly signal?: AbortSignal | undefined;
}

/** Bytes of a manifest, which is read into memory. */
const MANIFEST_BYTES = 64 * 1024 * 1024;

/** Reads one entry, whose body must be read to its end. */
export type EntryReader = (header: TarHeader, body: AsyncIterable<Uint8Array>) => Promise<ArchivePart>;

/**
 * Reads the entries of an archive one after the other. Links, folders, paths that are not expected, and entries that come twice
 * are refused.
 *
 * @throws ArchiveError `archive_missing`, `archive_incomplete`, `archive_damaged`, `archive_unsafe`; what `readEntry` throws as an
 * `ArchiveError`.
 */
export async function readArchive(
	file: string,
	options: ReadArchiveOptions,
	readEntry: EntryReader,
): Promise<ReadArchive> {
	try {
		const { size } = await stat(file);
		return await readEntries(file, size, options, readEntry);
	} catch (error) {
		options.signal?.throwIfAborted();
		if (ArchiveError.is(error)) throw error;
		const known = toArchiveFileError(error, file);
		throw ArchiveError.is(known) ? known : incompleteArchiveError(file, error);
	}
}

async function readEntries(
	file: string,
	size: number,
	{ isExpected, onProgress, signal }: ReadArchiveOptions,
	readEntry: EntryReader,
): Promise<ReadArchive> {
	const parts = new Map<string, ArchivePart>();
	let manifest: string | undefined;
	const source = createReadStream(file, { highWaterMark: 1024 * 1024 });
	try {
		for await (const { header, body } of await decode(source, file)) {
			signal?.throwIfAborted();
			if (manifest !== undefined) throw unsafeArchiveError(file, header.name);
			if (header.name === MANIFEST) {
				if (header.size > MANIFEST_BYTES) throw damagedArchiveError(file, "its manifest is too large");
				manifest = await readText(body);
				continue;
			}
			assertExpected(file, header, parts, isExpected);
			parts.set(header.name, await readEntry(header, body));
			onProgress?.(source.bytesRead, size, header.name);
		}
	} finally {
		source.destroy();
	}
	if (manifest === undefined) throw incompleteArchiveError(file);
	return { manifest, parts };
}

async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
	const pieces: Uint8Array[] = [];
	for await (const piece of body) pieces.push(piece);
	return Buffer.concat(pieces).toString();
}

function assertExpected(
	file: string,
	{ name, type }: TarHeader,
	parts: ReadonlyMap<string, unknown>,
	isExpected: (path: string) => boolean,
): void {
	const isFile = type === undefined || type === "file";
	if (!isFile || parts.has(name) || !isExpected(name)) throw unsafeArchiveError(file, name);
}

const GZIP_MAGIC = [0x1f, 0x8b];

async function decode(source: Readable, file: string) {
	const tar = (await isGzip(file)) ? pipeline(source, createGunzip(), () => undefined) : source;
	// The types of Node's streams and those of the platform differ.
	const bytes = Readable.toWeb(tar) as unknown as ReadableStream<Uint8Array>;
	// Loaded when it is needed: a service that starts reads no archive.
	const { createTarDecoder } = await import("modern-tar");
	return bytes.pipeThrough(createTarDecoder({ strict: true }));
}

async function isGzip(file: string): Promise<boolean> {
	const handle = await open(file, "r");
	try {
		const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0);
		return GZIP_MAGIC.every((byte, index) => buffer[index] === byte);
	} finally {
		await handle.close();
	}
}
