import { promisify } from "node:util";
import { deflateRaw, inflateRaw } from "node:zlib";
import { toCharacterEnd } from "../../../knowledge/ingest/character-end";
import type { EncodedText } from "../../../knowledge/ingest/encode-text";
import { readSpooledPart } from "../../data-folder/read-spooled";
import type { SpooledContent } from "../../data-folder/spool";
import { MAX_CHUNK_BYTES, PROBE_BYTES, shrinksTo } from "../../sqlite/knowledge/content-chunks";
import type { WorkspaceTransaction } from "../workspace-transaction";

const inflate = promisify(inflateRaw);

/** Compresses at the fastest level, as SQLite's store does, in a thread of Node's own. */
const deflate = (bytes: Uint8Array): Promise<Uint8Array> =>
	new Promise((resolve, reject) => {
		deflateRaw(bytes, { level: 1 }, (error, deflated) => (error ? reject(error) : resolve(deflated)));
	});

/** Inserts the file of a document, chunk by chunk, compressed where that helps. @returns the number of its content. */
export async function insertOriginal(
	transaction: WorkspaceTransaction,
	content: Uint8Array | SpooledContent,
	sha256: string,
): Promise<number> {
	const size = "size" in content ? content.size : content.byteLength;
	const read = async (position: number, length: number): Promise<Uint8Array> =>
		"size" in content
			? readSpooledPart(content, position, length)
			: content.subarray(position, position + length);
	const middle = Math.floor(size / 2);
	const probe = await read(middle, Math.min(PROBE_BYTES, size - middle));
	const isDeflated = shrinksTo(probe, (await deflate(probe)).byteLength);
	const number = await insertContent(transaction, { size, sha256, isDeflated });
	for (let position = 0; position < size; ) {
		const bytes = await read(position, Math.min(MAX_CHUNK_BYTES, size - position));
		const isLast = position + bytes.byteLength === size;
		const chunk = isLast ? bytes : bytes.subarray(0, toCharacterEnd(bytes));
		await insertChunk(transaction, number, position, isDeflated ? await deflate(chunk) : chunk);
		position += chunk.byteLength;
	}
	return number;
}

/** Inserts the text of a document. @returns the number of its content. */
export async function insertText(
	transaction: WorkspaceTransaction,
	{ size, sha256, chunks }: EncodedText,
): Promise<number> {
	const number = await insertContent(transaction, { size, sha256, isDeflated: true });
	for (const { position, deflated } of chunks) await insertChunk(transaction, number, position, deflated);
	return number;
}

interface NewContent {
	readonly size: number;
	readonly sha256: string;
	readonly isDeflated: boolean;
}

async function insertContent(
	transaction: WorkspaceTransaction,
	{ size, sha256, isDeflated }: NewContent,
): Promise<number> {
	const { number } = await transaction
		.insertInto("contents")
		.values({ size, sha256, is_deflated: isDeflated ? 1 : 0 })
		.returning("number")
		.executeTakeFirstOrThrow();
	return number;
}

async function insertChunk(
	transaction: WorkspaceTransaction,
	content: number,
	position: number,
	bytes: Uint8Array,
): Promise<void> {
	await transaction.insertInto("content_chunks").values({ content, position, bytes }).execute();
}

/** Piece of a content. */
export interface ContentChunk {
	/** Position of its first byte in the content. */
	readonly position: number;
	readonly bytes: Uint8Array;
}

const selectChunks = (transaction: WorkspaceTransaction, content: number) =>
	transaction
		.selectFrom("content_chunks")
		.innerJoin("contents", "contents.number", "content_chunks.content")
		.select(["position", "bytes", "is_deflated"])
		.where("content", "=", content);

interface ChunkRow extends ContentChunk {
	readonly is_deflated: number;
}

const toChunk = async ({ position, bytes, is_deflated }: ChunkRow): Promise<ContentChunk> => ({
	position,
	bytes: is_deflated === 1 ? await inflate(bytes) : bytes,
});

/** Reads a content from a position on, at most 256 KiB; `undefined` where it is gone, or has no such position. */
export async function readChunkFrom(
	transaction: WorkspaceTransaction,
	content: number,
	position: number,
): Promise<Uint8Array | undefined> {
	const row = await selectChunks(transaction, content)
		.where("position", "<=", position)
		.orderBy("position", "desc")
		.limit(1)
		.executeTakeFirst();
	if (row === undefined) return undefined;
	const chunk = await toChunk(row);
	const bytes = chunk.bytes.subarray(position - chunk.position);
	return bytes.byteLength === 0 ? undefined : new Uint8Array(bytes);
}

/** Reads a whole content. @param size - its size in bytes. */
export async function readContent(
	transaction: WorkspaceTransaction,
	content: number,
	size: number,
): Promise<Uint8Array> {
	const whole = new Uint8Array(size);
	for await (const { position, bytes } of iterateChunks(transaction, content)) whole.set(bytes, position);
	return whole;
}

/** Iterates over the chunks of a content in order, and keeps one in memory at a time. */
export async function* iterateChunks(
	transaction: WorkspaceTransaction,
	content: number,
): AsyncGenerator<ContentChunk> {
	for (let next = 0; ; ) {
		const row = await selectChunks(transaction, content)
			.where("position", ">=", next)
			.orderBy("position")
			.limit(1)
			.executeTakeFirst();
		if (row === undefined) return;
		const chunk = await toChunk(row);
		yield chunk;
		next = chunk.position + Math.max(1, chunk.bytes.byteLength);
	}
}
