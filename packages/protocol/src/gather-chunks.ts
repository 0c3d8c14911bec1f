import type { IncomingMessage } from "node:http";

/**
 * Hands the chunks of a body to its reader together, as many as came at once: each piece that a reader takes costs far more
 * time than a byte does, and a client may send every byte as a chunk of its own (RFC 9112, section 7.1).
 */
export function gatherChunks(message: IncomingMessage): void {
	const push = message.push.bind(message);
	let chunks: Buffer[] = [];
	let bytes = 0;

	function flush(): boolean {
		if (chunks.length === 0) return true;
		const gathered = Buffer.concat(chunks, bytes);
		chunks = [];
		bytes = 0;
		return push(gathered);
	}

	function gather(chunk: Buffer | null): boolean {
		if (chunk === null) {
			flush();
			return push(null);
		}
		if (chunks.length === 0) setImmediate(flush);
		chunks.push(chunk);
		bytes += chunk.byteLength;
		return bytes < message.readableHighWaterMark || flush();
	}

	message.push = gather;
}
