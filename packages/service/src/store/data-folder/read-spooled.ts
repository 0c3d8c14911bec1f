import { closeSync, openSync, readSync } from "node:fs";
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
			if (read === 0) throw new Error(`The spool file ${path} is shorter than expected.`);
			done += read;
		}
	} finally {
		closeSync(file);
	}
	return bytes;
}
