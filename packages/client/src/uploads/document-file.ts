import type { OpenResponse } from "../client";
import type { DocumentFile } from "../types/knowledge/knowledge";

// Loaded when it is first needed: it imports nothing.

/** File of a document from the response that has it. */
export function toDocumentFile(response: OpenResponse): DocumentFile {
	async function* read(): AsyncGenerator<Uint8Array> {
		for await (const chunk of readChunks(response)) {
			if (typeof chunk === "string")
				throw new TypeError(
					"The `fetch` of this platform gives text alone, and files are bytes: pass one that streams, such as `expo/fetch`, in the option `fetch`.",
				);
			yield chunk;
		}
	}
	return {
		requestId: response.requestId,
		name: readFileName(response.header("content-disposition")),
		type: response.header("content-type"),
		size: Number(response.header("content-length")),
		sha256: /[0-9a-f]{64}/.exec(response.header("etag"))?.[0] ?? "",
		[Symbol.asyncIterator]: read,
		async bytes() {
			const chunks: Uint8Array[] = [];
			for await (const chunk of read()) chunks.push(chunk);
			return concat(chunks);
		},
		close: response.close,
	};
}

/** Text of a response, of any length. */
export async function readWholeText(response: OpenResponse): Promise<string> {
	const chunks: Uint8Array[] = [];
	let text = "";
	for await (const chunk of readChunks(response)) {
		if (typeof chunk === "string") text += chunk;
		else chunks.push(chunk);
	}
	return text || new TextDecoder().decode(concat(chunks));
}

async function* readChunks(response: OpenResponse): AsyncGenerator<Uint8Array | string> {
	try {
		for (let chunk = await response.read(); chunk !== undefined; chunk = await response.read()) yield chunk;
	} finally {
		response.close();
	}
}

/** Name in `content-disposition` (RFC 6266); empty where there is none that can be read. */
function readFileName(disposition: string): string {
	try {
		return decodeURIComponent(/filename\*=UTF-8''([^;]*)/.exec(disposition)?.[1] ?? "");
	} catch {
		return "";
	}
}

function concat(chunks: readonly Uint8Array[]): Uint8Array {
	const bytes = new Uint8Array(chunks.reduce((size, chunk) => size + chunk.byteLength, 0));
	let position = 0;
	for (const chunk of chunks) {
		bytes.set(chunk, position);
		position += chunk.byteLength;
	}
	return bytes;
}
