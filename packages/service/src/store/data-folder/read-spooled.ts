import { closeSync, openSync, readSync } from "node:fs";
import { open } from "node:fs/promises";
import type { SpooledContent } from "./spool";

/**
 * Reads spooled content into memory: all of it, or a part. Blocks: for the threads of the store.
 *
 * @param start - position of the first byte in the content.
 */
export function readSpooled({ path, offset, size }: SpooledContent, start = 0, length = size): Uint8Array {
	const bytes = Buffer.allocUnsafeSlow(length);
	const file = openSync(path, "r");
	try {
		for (let done = 0; done < length; ) {
			const read = readSync(file, bytes, done, length - done, offset + start + done);
			if (read === 0) throw shortFileError(path);
			done += read;
		}
	} finally {
		closeSync(file);
	}
	return bytes;
}

/** Reads a part of spooled content into memory, and blocks nobody. @param start - position of the first byte in the content. */
export async function readSpooledPart(
	{ path, offset }: SpooledContent,
	start: number,
	length: number,
): Promise<Uint8Array> {
	const bytes = Buffer.allocUnsafeSlow(length);
	const file = await open(path, "r");
	try {
		for (let done = 0; done < length; ) {
			const { bytesRead } = await file.read(bytes, done, length - done, offset + start + done);
			if (bytesRead === 0) throw shortFileError(path);
			done += bytesRead;
		}
	} finally {
		await file.close();
	}
	return bytes;
}

const shortFileError = (path: string): Error => new Error(`The spool file ${path} is shorter than expected.`);
