import type { EncodedText } from "../../../knowledge/ingest/encode-text";
import { MAX_CHUNK_BYTES } from "../../sqlite/knowledge/content-chunks";
import type { ContentChunkTable, ContentTable } from "../../sqlite/knowledge/content-tables";
import { sizeOf } from "../../sqlite/knowledge/jobs/document-rows";
import { type ColumnTypes, insertRows, takeNumbers } from "../connection/row-arrays";
import type { WorkspaceTransaction } from "../workspace-transaction";
import {
	type CompressedOriginal,
	type CompressedOriginals,
	compressOriginal,
	type OriginalContent,
} from "./compressed-originals";

/** File of a document, to be stored. */
export interface NewOriginal {
	readonly content: OriginalContent;
	/** SHA-256 of the bytes, hexadecimal. */
	readonly sha256: string;
}

/**
 * Inserts files of documents, chunk by chunk, compressed where that helps.
 *
 * @param ahead - those that are compressed already. Default: none.
 * @returns the numbers of their contents.
 */
export async function insertOriginals(
	transaction: WorkspaceTransaction,
	originals: readonly NewOriginal[],
	ahead: CompressedOriginals = new Map(),
): Promise<readonly number[]> {
	const compressed: CompressedOriginal[] = [];
	for (const { content } of originals)
		compressed.push(ahead.get(content) ?? (await compressOriginal(content)));
	const contents = originals.map(({ content, sha256 }, index) => ({
		...{ size: sizeOf(content), sha256, is_deflated: compressed[index]?.isDeflated === true ? 1 : 0 },
	}));
	const numbers = await insertContents(transaction, contents);
	const writer = createChunkWriter(transaction);
	for (const [index, { chunks }] of compressed.entries())
		for await (const chunk of chunks) await writer.add({ content: numbers[index] ?? 0, ...chunk });
	await writer.flush();
	return numbers;
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
