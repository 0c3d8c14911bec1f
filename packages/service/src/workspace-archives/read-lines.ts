import { statSync } from "node:fs";
import { readSpooled } from "../store/data-folder/read-spooled";

const BATCH_BYTES = 1024 * 1024;

/** Iterates over the lines of a file, and keeps a batch of them in memory. */
export function* readLines(path: string): Generator<string> {
	const decoder = new TextDecoder("utf-8", { fatal: true });
	let rest = "";
	let position = 0;
	for (;;) {
		const bytes = readUpTo(path, position);
		position += bytes.byteLength;
		const text = rest + decoder.decode(bytes, { stream: bytes.byteLength > 0 });
		const lines = text.split("\n");
		rest = lines.pop() ?? "";
		yield* lines;
		if (bytes.byteLength === 0) break;
	}
	if (rest !== "") yield rest;
}

function readUpTo(path: string, offset: number): Uint8Array {
	const { size } = statSync(path);
	return readSpooled({ path, offset, size: Math.min(BATCH_BYTES, size - offset), sha256: "" });
}
