import { promisify } from "node:util";
import { deflateRaw, inflateRaw } from "node:zlib";
import { toCharacterEnd } from "../../../knowledge/ingest/character-end";
import type { EncodedText } from "../../../knowledge/ingest/encode-text";
import { readSpooledPart } from "../../data-folder/read-spooled";
import type { SpooledContent } from "../../data-folder/spool";
import { MAX_CHUNK_BYTES, PROBE_BYTES, shrinksTo } from "../../sqlite/knowledge/content-chunks";
import type { ContentChunkTable, ContentTable } from "../../sqlite/knowledge/content-tables";
import { sizeOf } from "../../sqlite/knowledge/jobs/document-rows";
import { insertRows, takeNumbers } from "../connection/row-arrays";
import type { WorkspaceTransaction } from "../workspace-transaction";

const inflate = promisify(inflateRaw);

/** Compresses at the fastest level, as SQLite's store does, in a thread of Node's own. */
const deflate = (bytes: Uint8Array): Promise<Uint8Array> =>
	new Promise((resolve, reject) => {
		deflateRaw(bytes, { level: 1 }, (error, deflated) => (error ? reject(error) : resolve(deflated)));
	});

/** File of a document, to be stored. */
export interface NewOriginal {
	readonly content: Uint8Array | SpooledContent;
	/** SHA-256 of the bytes, hexadecimal. */
	readonly sha256: string;
}

/** Inserts files of documents, chunk by chunk, compressed where that helps. @returns the numbers of their contents. */
export async function insertOriginals(
	transaction: WorkspaceTransaction,
	originals: readonly NewOriginal[],
): Promise<readonly number[]> {
	const contents: NewContent[] = [];
	for (const { content, sha256 } of originals)
		contents.push({ size: sizeOf(content), sha256, is_deflated: (await shrinks(content)) ? 1 : 0 });
	const numbers = await insertContents(transaction, contents);
	const chunks = createChunkWriter(transaction);
	for (const [index, { content }] of originals.entries())
		await writeOriginal(chunks, numbers[index] ?? 0, content, contents[index]?.is_deflated === 1);
	await chunks.flush();
	return numbers;
}

const readOriginal = async (
	content: NewOriginal["content"],
	position: number,
	length: number,
): Promise<Uint8Array> =>
	"size" in content
		? readSpooledPart(content, position, length)
		: content.subarray(position, position + length);

/** Checks whether a part in the middle of a file is compressed well. */
async function shrinks(content: NewOriginal["content"]): Promise<boolean> {
	const size = sizeOf(content);
	const middle = Math.floor(size / 2);
	const probe = await readOriginal(content, middle, Math.min(PROBE_BYTES, size - middle));
	return shrinksTo(probe, (await deflate(probe)).byteLength);
}

async function writeOriginal(
	chunks: ChunkWriter,
	number: number,
	content: NewOriginal["content"],
	isDeflated: boolean,
): Promise<void> {
	const size = sizeOf(content);
	for (let position = 0; position < size; ) {
		const bytes = await readOriginal(content, position, Math.min(MAX_CHUNK_BYTES, size - position));
		const isLast = position + bytes.byteLength === size;
		const chunk = isLast ? bytes : bytes.subarray(0, toCharacterEnd(bytes));
		await chunks.add({ content: number, position, bytes: isDeflated ? await deflate(chunk) : chunk });
		position += chunk.byteLength;
	}
}

/** Inserts texts of documents. @returns the numbers of their contents. */
export async function insertTexts(
	transaction: WorkspaceTransaction,
	texts: readonly EncodedText[],
): Promise<readonly number[]> {
	const contents = texts.map(({ size, sha256 }) => ({ size, sha256, is_deflated: 1 }));
	const numbers = await insertContents(transaction, contents);
	const chunks = createChunkWriter(transaction);
	for (const [index, text] of texts.entries())
		for (const { position, deflated } of text.chunks)
			await chunks.add({ content: numbers[index] ?? 0, position, bytes: deflated });
	await chunks.flush();
	return numbers;
}

type NewContent = Omit<ContentTable, "number">;

const CONTENT_TYPES = { number: "bigint", size: "bigint", sha256: "text", is_deflated: "integer" };

async function insertContents(
	transaction: WorkspaceTransaction,
	contents: readonly NewContent[],
): Promise<readonly number[]> {
	if (contents.length === 0) return [];
	const numbers = await takeNumbers(transaction, "contents", contents.length);
	const rows = contents.map((content, index) => ({ ...content, number: numbers[index] ?? 0 }));
	await insertRows(transaction, "contents", CONTENT_TYPES, rows);
	return numbers;
}

/** Inserts chunks, several at once, of which a few are in memory. */
interface ChunkWriter {
	add(chunk: ContentChunkTable): Promise<void>;
	flush(): Promise<void>;
}

const CHUNK_TYPES = { content: "bigint", position: "bigint", bytes: "bytea" };

function createChunkWriter(transaction: WorkspaceTransaction): ChunkWriter {
	let chunks: ContentChunkTable[] = [];
	let size = 0;
	async function flush(): Promise<void> {
		await insertRows(transaction, "content_chunks", CHUNK_TYPES, chunks);
		chunks = [];
		size = 0;
	}
	return {
		async add(chunk) {
			chunks.push(chunk);
			size += chunk.bytes.byteLength;
			if (size >= MAX_CHUNK_BYTES) await flush();
		},
		flush,
	};
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
