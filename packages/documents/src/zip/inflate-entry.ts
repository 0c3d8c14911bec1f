import { promisify } from "node:util";
import { crc32, inflateRaw, inflateRawSync } from "node:zlib";
import type { Entry } from "yauzl";
import { UnreadableError } from "../unreadable-error";
import { MAX_COMPRESSION_RATIO, MIN_CHECKED_BYTES } from "./zip-limits";

const ENCRYPTED_FLAG = 1;
const STORED = 0;
const DEFLATED = 8;

/** Entries from this size on are unpacked beside the thread, which costs more than small ones take. */
const MIN_ASYNC_BYTES = 1024 * 1024;

/** Bounds of the pieces in which an entry is unpacked; the lower one is that of zlib. */
const MIN_CHUNK_BYTES = 64;
const MAX_CHUNK_BYTES = 1024 * 1024;

/** Unpacks an entry to exactly the size that the directory says. @throws UnreadableError */
export async function inflateEntry(entry: Entry, data: Uint8Array): Promise<Uint8Array> {
	const { uncompressedSize, compressedSize, compressionMethod } = entry;
	if ((entry.generalPurposeBitFlag & ENCRYPTED_FLAG) !== 0)
		throw new UnreadableError("it is protected by a password", { code: "password_protected" });
	if (compressionMethod !== STORED && compressionMethod !== DEFLATED)
		throw new UnreadableError(`its container has an unsupported compression method (${compressionMethod})`);
	if (uncompressedSize > MIN_CHECKED_BYTES && uncompressedSize > compressedSize * MAX_COMPRESSION_RATIO)
		throw new UnreadableError(
			`it unpacks to more than ${MAX_COMPRESSION_RATIO} times its size, as archive bombs do`,
			{ code: "too_complex" },
		);
	const content = compressionMethod === STORED ? data : await inflate(data, uncompressedSize);
	if (content.length !== uncompressedSize || crc32(content) !== entry.crc32)
		throw new UnreadableError("its container (zip) is damaged (a checksum or a size is wrong)");
	return content;
}

async function inflate(data: Uint8Array, size: number): Promise<Uint8Array> {
	try {
		// The limit has to be at least 1, also for an empty file.
		const options = {
			maxOutputLength: Math.max(1, size),
			// In pieces of 16 kB, as by default, each one is copied, and asks the thread for the next.
			chunkSize: Math.min(Math.max(MIN_CHUNK_BYTES, size + 1), MAX_CHUNK_BYTES),
		};
		return size < MIN_ASYNC_BYTES
			? inflateRawSync(data, options)
			: await promisify(inflateRaw)(data, options);
	} catch (error) {
		throw new UnreadableError("its container (zip) is damaged (its compressed data are not valid)", {
			cause: error,
		});
	}
}
