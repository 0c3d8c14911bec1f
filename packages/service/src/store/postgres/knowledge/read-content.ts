import { promisify } from "node:util";
import { inflateRaw } from "node:zlib";
import { sql } from "kysely";
import type { WorkspaceTransaction } from "../workspace-transaction";

const inflate = promisify(inflateRaw);

/** Piece of a content. */
export interface ContentChunk {
	/** Position of its first byte in the content. */
	readonly position: number;
	readonly bytes: Uint8Array;
}

const selectAllChunks = (transaction: WorkspaceTransaction) =>
	transaction
		.selectFrom("content_chunks")
		.innerJoin("contents", "contents.number", "content_chunks.content")
		.select(["content", "position", "bytes", "is_deflated"]);

const selectChunks = (transaction: WorkspaceTransaction, content: number) =>
	selectAllChunks(transaction).where("content", "=", content);

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

/** A content that is read as a whole. */
export interface SizedContent {
	readonly content: number;
	/** Size in bytes. */
	readonly size: number;
}

/** Reads whole contents with one statement: small ones, which are in memory twice meanwhile. @returns their bytes, in order. */
export async function readContents(
	transaction: WorkspaceTransaction,
	contents: readonly SizedContent[],
): Promise<readonly Uint8Array[]> {
	const numbers = contents.map(({ content }) => content);
	const rows = await selectAllChunks(transaction)
		.where("content", "=", sql<number>`any(${numbers}::bigint[])`)
		.execute();
	const byContent = Map.groupBy(rows, ({ content }) => content);
	const read: Uint8Array[] = [];
	for (const { content, size } of contents) {
		const whole = new Uint8Array(size);
		for (const { position, bytes } of await Promise.all((byContent.get(content) ?? []).map(toChunk)))
			whole.set(bytes, position);
		read.push(whole);
	}
	return read;
}
