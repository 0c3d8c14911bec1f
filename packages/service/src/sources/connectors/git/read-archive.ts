import { openZip } from "@stemma/documents/containers";
import { createTarDecoder } from "modern-tar";
import { SourceError } from "../../source-error";
import { readAtMost } from "../read-body";
import {
	type ArchiveLimits,
	assertArchiveBytes,
	assertEntries,
	assertUnpacked,
	createByteCounter,
	damagedError,
	tooComplexError,
} from "./archive-limits";

/** File in an archive. */
export interface ArchiveFile {
	/** Path in the archive, with `/` between folders, without one at its start. */
	readonly path: string;
	/** Size in bytes; `undefined` where it shows only when the file is read. */
	readonly size: number | undefined;
	/** Content, before the next file is asked for; `undefined` where it is larger than `maxBytes`. */
	read(maxBytes: number): Promise<Uint8Array | undefined>;
}

/**
 * Files of a `.tar.gz`, `.tar` or `.zip` archive, as the stream arrives. Folders, links, devices and paths that climb are
 * left out.
 *
 * @throws SourceError `archive_too_large`, `archive_damaged`
 */
export async function* readArchive(
	archive: ReadableStream<Uint8Array>,
	limits: ArchiveLimits,
): AsyncGenerator<ArchiveFile> {
	const { start, stream } = await peek(archive, TAR_MAGIC_END);
	try {
		if (start[0] === 0x50 && start[1] === 0x4b) yield* readZip(stream, limits);
		else yield* readTar(stream, start[0] === 0x1f && start[1] === 0x8b, limits);
	} catch (error) {
		throwDamaged(error);
	} finally {
		await stream.cancel().catch(() => undefined);
	}
}

function throwDamaged(error: unknown): never {
	if (SourceError.is(error)) throw error;
	const isTooComplex = error instanceof Error && "code" in error && error.code === "too_complex";
	throw isTooComplex ? tooComplexError() : damagedError(error);
}

/** The mark of a tar archive ends here; gzip and zip have theirs at the start. */
const TAR_MAGIC_END = 262;

/** First bytes of a stream, and all of it. */
async function peek(
	source: ReadableStream<Uint8Array>,
	length: number,
): Promise<{ readonly start: Uint8Array; readonly stream: ReadableStream<Uint8Array> }> {
	const reader = source.getReader();
	const first: Uint8Array[] = [];
	let isDone = false;
	for (let bytes = 0; bytes < length && !isDone; ) {
		const { value } = await reader.read();
		isDone = value === undefined;
		if (value !== undefined) first.push(value);
		bytes += value?.length ?? 0;
	}
	const start = Buffer.concat(first);
	let isStart = true;
	const stream = new ReadableStream<Uint8Array>(
		{
			async pull(controller) {
				const value = isStart ? start : (await reader.read()).value;
				isStart = false;
				if (value === undefined) controller.close();
				else controller.enqueue(value);
			},
			cancel: (reason) => reader.cancel(reason),
		},
		{ highWaterMark: 0 },
	);
	return { start, stream };
}

async function* readTar(
	archive: ReadableStream<Uint8Array>,
	isPacked: boolean,
	limits: ArchiveLimits,
): AsyncGenerator<ArchiveFile> {
	const packed = createByteCounter((bytes) => assertArchiveBytes(bytes, limits.maxArchiveBytes));
	const unpacked = createByteCounter((bytes) => assertUnpacked(bytes, packed.bytes, limits));
	const counted = archive.pipeThrough(packed);
	const tar = (isPacked ? counted.pipeThrough(gunzip()) : counted).pipeThrough(unpacked);
	let entries = 0;
	for await (const { header, body } of tar.pipeThrough(createTarDecoder({ strict: true }))) {
		assertEntries(++entries, limits);
		const path = header.type === "file" || header.type === undefined ? toPath(header.name) : undefined;
		let isRead = false;
		if (path !== undefined)
			yield {
				path,
				size: header.size,
				read: (maxBytes) => {
					isRead = true;
					return readAtMost(body, maxBytes, MAX_FILE_MS).catch(throwDamaged);
				},
			};
		if (!isRead) await body.cancel();
	}
}

/** Time in which one file of an archive has to arrive, in milliseconds. */
const MAX_FILE_MS = 300_000;

/** The types of the platform ask for narrower bytes than they take. */
const gunzip = (): TransformStream<Uint8Array, Uint8Array> =>
	new DecompressionStream("gzip") as unknown as TransformStream<Uint8Array, Uint8Array>;

/** Longest path of a file; longer ones are no paths of any system. */
const MAX_ENTRY_PATH_CHARACTERS = 4_096;

/** Path without `.` and `/` at its start; none for what climbs. */
function toPath(name: string): string | undefined {
	const path = name.replace(/^(?:\.?\/+)+/u, "");
	if (name.length > MAX_ENTRY_PATH_CHARACTERS) return undefined;
	const isPlain =
		path !== "" && !path.endsWith("/") && !path.split("/").includes("..") && !/[\\\0]/u.test(path);
	return isPlain ? path : undefined;
}

async function* readZip(
	archive: ReadableStream<Uint8Array>,
	limits: ArchiveLimits,
): AsyncGenerator<ArchiveFile> {
	const bytes = await readAtMost(archive, limits.maxZipBytes, MAX_ZIP_MS);
	if (bytes === undefined) return assertArchiveBytes(limits.maxZipBytes + 1, limits.maxZipBytes);
	const zip = await openZip(bytes, {
		maxEntryBytes: Number.MAX_SAFE_INTEGER,
		maxTotalBytes: limits.maxUnpackedBytes,
	});
	for (const name of zip.names) {
		const path = toPath(name);
		if (path === undefined) continue;
		yield {
			path,
			size: zip.sizeOf(name),
			read: async (maxBytes) =>
				(zip.sizeOf(name) ?? 0) > maxBytes ? undefined : zip.get(name).catch(throwDamaged),
		};
	}
}

const MAX_ZIP_MS = 600_000;
