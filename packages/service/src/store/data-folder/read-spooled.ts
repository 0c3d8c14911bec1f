import { closeSync, openSync, readSync } from "node:fs";
import type { SpooledContent } from "./spool";

/** Reads spooled content into memory. Blocks: for the threads of the store. */
export function readSpooled({ path, offset, size }: SpooledContent): Uint8Array {
	const bytes = Buffer.allocUnsafeSlow(size);
	const file = openSync(path, "r");
	try {
		for (let done = 0; done < size; ) {
			const read = readSync(file, bytes, done, size - done, offset + done);
			if (read === 0) throw new Error(`The spool file ${path} is shorter than expected.`);
			done += read;
		}
	} finally {
		closeSync(file);
	}
	return bytes;
}
