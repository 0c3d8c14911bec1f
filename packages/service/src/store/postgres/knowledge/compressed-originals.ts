import { deflateRaw } from "node:zlib";
import { createSemaphore } from "@stemma/core/internal";
import { toCharacterEnd } from "../../../knowledge/ingest/character-end";
import { readSpooledPart } from "../../data-folder/read-spooled";
import type { SpooledContent } from "../../data-folder/spool";
import { MAX_CHUNK_BYTES, PROBE_BYTES, shrinksTo } from "../../sqlite/knowledge/content-chunks";
import { sizeOf } from "../../sqlite/knowledge/jobs/document-rows";

/** File of a document, in memory or on the disk. */
export type OriginalContent = Uint8Array | SpooledContent;

/** Part of a file as it is stored. */
export interface OriginalChunk {
	/** Position of its first byte in the file. */
	readonly position: number;
	/** Compressed, where the file is. */
	readonly bytes: Uint8Array;
}

/** File of a document as it is stored. */
export interface CompressedOriginal {
	readonly isDeflated: boolean;
	/** Parts in their order. They may still be read and compressed while they are asked for. */
	readonly chunks: Iterable<OriginalChunk> | AsyncIterable<OriginalChunk>;
}

/** Files that are compressed already, by their content. */
export type CompressedOriginals = ReadonlyMap<OriginalContent, CompressedOriginal>;

/** Bytes of files that are compressed ahead, and in memory meanwhile; those of larger files are while they are stored. */
const MAX_BYTES_AHEAD = 4 * 1024 * 1024;

/** Files that are open at once: a request may have many. */
const CONCURRENCY = 8;

/** Compresses files before the transaction that stores them, as far as there is room: it would keep other writers waiting meanwhile. */
export async function compressOriginals(contents: readonly OriginalContent[]): Promise<CompressedOriginals> {
	let bytes = 0;
	const small = contents.filter((content) => {
		bytes += sizeOf(content);
		return bytes <= MAX_BYTES_AHEAD;
	});
	const semaphore = createSemaphore(CONCURRENCY);
	const compressed = small.map((content) => semaphore.run(() => compressWhole(content)));
	return new Map(await Promise.all(compressed));
}

async function compressWhole(content: OriginalContent): Promise<[OriginalContent, CompressedOriginal]> {
	const original = await compressOriginal(content);
	const chunks: OriginalChunk[] = [];
	for await (const chunk of original.chunks) chunks.push(chunk);
	return [content, { ...original, chunks }];
}

/** Finds out whether a file is compressed well, and compresses it then, chunk by chunk. */
export async function compressOriginal(content: OriginalContent): Promise<CompressedOriginal> {
	const isDeflated = await shrinks(content);
	return { isDeflated, chunks: readChunks(content, isDeflated) };
}

async function* readChunks(content: OriginalContent, isDeflated: boolean): AsyncGenerator<OriginalChunk> {
	const size = sizeOf(content);
	for (let position = 0; position < size; ) {
		const bytes = await readOriginal(content, position, Math.min(MAX_CHUNK_BYTES, size - position));
		const isLast = position + bytes.byteLength === size;
		const chunk = isLast ? bytes : bytes.subarray(0, toCharacterEnd(bytes));
		yield { position, bytes: isDeflated ? await deflate(chunk) : chunk };
		position += chunk.byteLength;
	}
}

const readOriginal = async (
	content: OriginalContent,
	position: number,
	length: number,
): Promise<Uint8Array> =>
	"size" in content
		? readSpooledPart(content, position, length)
		: content.subarray(position, position + length);

/** Checks whether a part in the middle of a file is compressed well. */
async function shrinks(content: OriginalContent): Promise<boolean> {
	const size = sizeOf(content);
	const middle = Math.floor(size / 2);
	const probe = await readOriginal(content, middle, Math.min(PROBE_BYTES, size - middle));
	return shrinksTo(probe, (await deflate(probe)).byteLength);
}

/** Compresses at the fastest level, as SQLite's store does, in a thread of Node's own. */
const deflate = (bytes: Uint8Array): Promise<Uint8Array> =>
	new Promise((resolve, reject) => {
		deflateRaw(bytes, { level: 1 }, (error, deflated) => (error ? reject(error) : resolve(deflated)));
	});
