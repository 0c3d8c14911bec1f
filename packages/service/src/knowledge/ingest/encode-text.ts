import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { deflateRaw } from "node:zlib";

/** Text as UTF-8 in compressed chunks, as the store keeps it. */
export interface EncodedText {
	/** Size in bytes, before compression. */
	readonly size: number;
	/** SHA-256 of the UTF-8 bytes, hexadecimal. */
	readonly sha256: string;
	readonly chunks: readonly EncodedChunk[];
}

export interface EncodedChunk {
	/** Position of its first byte in the UTF-8 text. */
	readonly position: number;
	/** Bytes, compressed by DEFLATE. */
	readonly deflated: Uint8Array;
}

/** UTF-16 code units of a chunk, so that its bytes stay below 256 KiB. */
const CHUNK_CHARACTERS = 64 * 1024;

/** The fastest level, as for files: the usual one takes two to three times the time, for 8 to 16 % of the size. */
const LEVEL = 1;

const deflate = promisify(deflateRaw);

/** Encodes a text, in threads of Node's own; long ones let others have the main thread in between. */
export async function encodeText(text: string): Promise<EncodedText> {
	const hash = createHash("sha256");
	const chunks: EncodedChunk[] = [];
	let size = 0;
	for (let start = 0; start < text.length; ) {
		const end = toChunkEnd(text, start);
		const bytes = Buffer.from(text.slice(start, end));
		hash.update(bytes);
		chunks.push({ position: size, deflated: await deflate(bytes, { level: LEVEL }) });
		size += bytes.byteLength;
		start = end;
	}
	return { size, sha256: hash.digest("hex"), chunks };
}

/** End of a chunk, which splits no pair of surrogates. */
function toChunkEnd(text: string, start: number): number {
	const end = start + CHUNK_CHARACTERS;
	if (end >= text.length) return text.length;
	return (text.codePointAt(end - 1) ?? 0) > 0xffff ? end - 1 : end;
}
