import { deflateRawSync, inflateRawSync } from "node:zlib";
import { toCharacterEnd } from "../../../knowledge/ingest/character-end";
import type { EncodedText } from "../../../knowledge/ingest/encode-text";
import { readSpooled } from "../../data-folder/read-spooled";
import type { SpooledContent } from "../../data-folder/spool";
import type { JobFile } from "../../job-file";

/** Largest chunk: what one read of a content takes into memory. */
export const MAX_CHUNK_BYTES = 256 * 1024;
/** Piece from the middle of a file by which it is decided whether to compress the file, and the share that it must shrink to. */
export const PROBE_BYTES = 4 * 1024;
const DEFLATED_SHARE = 0.9;

/** Inserts the file of a document, chunk by chunk, compressed where that helps. @returns the number of its content. */
export function insertOriginal(file: JobFile, content: Uint8Array | SpooledContent, sha256: string): number {
	const size = "size" in content ? content.size : content.byteLength;
	const read: ReadBytes = (position, length) =>
		"size" in content
			? readSpooled(content, position, length)
			: content.subarray(position, position + length);
	const middle = Math.floor(size / 2);
	const probe = read(middle, Math.min(PROBE_BYTES, size - middle));
	const isDeflated = shrinksTo(probe, deflate(probe).byteLength);
	const number = insertContent(file, { size, sha256, isDeflated });
	insertChunks(file, number, size, read, isDeflated ? deflate : keep);
	return number;
}

/** Inserts the chunks of a content whose row is there, such as one that was imported. */
export function insertStoredChunks(
	file: JobFile,
	{
		number,
		size,
		isDeflated,
	}: { readonly number: number; readonly size: number; readonly isDeflated: boolean },
	read: ReadBytes,
): void {
	insertChunks(file, number, size, read, isDeflated ? deflate : keep);
}

/** Compresses at the fastest level: others take up to twice the time, for a twentieth of the size. */
const deflate = (bytes: Uint8Array): Uint8Array => deflateRawSync(bytes, { level: 1 });

const keep = (bytes: Uint8Array): Uint8Array => bytes;

/** Checks whether bytes shrink by so much that compressing the file is worth it. */
export const shrinksTo = (bytes: Uint8Array, deflatedBytes: number): boolean =>
	deflatedBytes < DEFLATED_SHARE * bytes.byteLength;

/** Inserts the text of a document. @returns the number of its content. */
export function insertText(file: JobFile, { size, sha256, chunks }: EncodedText): number {
	const number = insertContent(file, { size, sha256, isDeflated: true });
	for (const { position, deflated } of chunks) insertChunk(file, number, position, deflated);
	return number;
}

interface NewContent {
	readonly size: number;
	readonly sha256: string;
	readonly isDeflated: boolean;
}

function insertContent(file: JobFile, { size, sha256, isDeflated }: NewContent): number {
	const { lastInsertRowid } = file
		.prepare("INSERT INTO contents (size, sha256, is_deflated) VALUES (?, ?, ?)")
		.run(size, sha256, isDeflated ? 1 : 0);
	return Number(lastInsertRowid);
}

export type ReadBytes = (position: number, length: number) => Uint8Array;

function insertChunks(
	file: JobFile,
	content: number,
	size: number,
	read: ReadBytes,
	encode: (bytes: Uint8Array) => Uint8Array,
): void {
	for (let position = 0; position < size; ) {
		const bytes = read(position, Math.min(MAX_CHUNK_BYTES, size - position));
		const isLast = position + bytes.byteLength === size;
		const chunk = isLast ? bytes : bytes.subarray(0, toCharacterEnd(bytes));
		insertChunk(file, content, position, encode(chunk));
		position += chunk.byteLength;
	}
}

function insertChunk(file: JobFile, content: number, position: number, bytes: Uint8Array): void {
	file
		.prepare("INSERT INTO content_chunks (content, position, bytes) VALUES (?, ?, ?)")
		.run(content, position, bytes);
}

/** Piece of a content. */
export interface ContentChunk {
	/** Position of its first byte in the content. */
	readonly position: number;
	readonly bytes: Uint8Array;
}

interface ChunkRow extends ContentChunk {
	readonly is_deflated: number;
}

const toChunk = ({ position, bytes, is_deflated }: ChunkRow): ContentChunk => ({
	position,
	bytes: is_deflated === 1 ? inflateRawSync(bytes) : bytes,
});

const SELECT_CHUNKS =
	"SELECT position, bytes, is_deflated FROM content_chunks JOIN contents ON contents.number = content_chunks.content" +
	" WHERE content = ?";

/** Reads a content from a position on, at most 256 KiB; `undefined` where it is gone, or has no such position. */
export function readChunkFrom(file: JobFile, content: number, position: number): Uint8Array | undefined {
	const row = file
		.prepare<ChunkRow>(`${SELECT_CHUNKS} AND position <= ? ORDER BY position DESC LIMIT 1`)
		.get(content, position);
	if (row === undefined) return undefined;
	const chunk = toChunk(row);
	const bytes = chunk.bytes.subarray(position - chunk.position);
	if (bytes.byteLength === 0) return undefined;
	if (bytes.byteLength <= MAX_CHUNK_BYTES) return bytes;
	// Uploads that an earlier version left in the queue are one chunk.
	const start = bytes.subarray(0, MAX_CHUNK_BYTES);
	return start.subarray(0, toCharacterEnd(start));
}

/** Reads a whole content. @param size - its size in bytes. */
export function readContent(file: JobFile, content: number, size: number): Uint8Array {
	const whole = new Uint8Array(size);
	for (const row of file.prepare<ChunkRow>(`${SELECT_CHUNKS} ORDER BY position`).all(content)) {
		const { position, bytes } = toChunk(row);
		whole.set(bytes, position);
	}
	return whole;
}

/** Iterates over the chunks of a content in order, and keeps one in memory at a time. */
export function* iterateChunks(file: JobFile, content: number): Generator<ContentChunk> {
	const select = file.prepare<ChunkRow>(`${SELECT_CHUNKS} AND position >= ? ORDER BY position LIMIT 1`);
	for (let next = 0; ; ) {
		const row = select.get(content, next);
		if (row === undefined) return;
		const chunk = toChunk(row);
		yield chunk;
		next = chunk.position + Math.max(1, chunk.bytes.byteLength);
	}
}
