import { deflateRaw } from "node:zlib";
import { toCharacterEnd } from "../../../knowledge/ingest/character-end";
import type { EncodedText } from "../../../knowledge/ingest/encode-text";
import { readSpooledPart } from "../../data-folder/read-spooled";
import type { SpooledContent } from "../../data-folder/spool";
import { MAX_CHUNK_BYTES, PROBE_BYTES, shrinksTo } from "../../sqlite/knowledge/content-chunks";
import type { ContentChunkTable, ContentTable } from "../../sqlite/knowledge/content-tables";
import { sizeOf } from "../../sqlite/knowledge/jobs/document-rows";
import { type ColumnTypes, insertRows, takeNumbers } from "../connection/row-arrays";
import type { WorkspaceTransaction } from "../workspace-transaction";

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

const CONTENT_TYPES = {
	number: "bigint",
	size: "bigint",
	sha256: "text",
	is_deflated: "integer",
} satisfies ColumnTypes<string>;

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

const CHUNK_TYPES = { content: "bigint", position: "bigint", bytes: "bytea" } satisfies ColumnTypes<string>;

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
