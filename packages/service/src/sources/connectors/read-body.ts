import { startBackgroundTimer } from "@stemma/core/internal";
import { SourceError } from "../source-error";
import type { SourceResponse } from "./connector";

/** Bytes of a response; `undefined` where they are more than `maxBytes`, and the rest is left unread. */
export async function readBody(
	{ body, headers }: Pick<SourceResponse, "body" | "headers">,
	maxBytes: number,
	maxMs?: number,
): Promise<Uint8Array | undefined> {
	const isPacked = headers.get("content-encoding") !== null;
	if (!isPacked && Number(headers.get("content-length") ?? 0) > maxBytes) {
		await body?.cancel();
		return undefined;
	}
	return body === null ? new Uint8Array() : readAtMost(body, maxBytes, maxMs);
}

/** Time in which a body has to be complete, in milliseconds. */
export const MAX_BODY_MS = 120_000;

/**
 * Bytes of a stream; `undefined` where they are more than `maxBytes`, and the rest is left unread.
 *
 * @throws SourceError `timeout`
 */
export async function readAtMost(
	stream: ReadableStream<Uint8Array>,
	maxBytes: number,
	maxMs = MAX_BODY_MS,
): Promise<Uint8Array | undefined> {
	const { chunks, length } = await readChunks(stream, maxBytes, maxMs);
	return length > maxBytes ? undefined : Buffer.concat(chunks);
}

/** First bytes of a stream, at most `maxBytes`; what follows is left unread. */
export async function readFirst(stream: ReadableStream<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
	const { chunks } = await readChunks(stream, maxBytes, MAX_BODY_MS);
	return Buffer.concat(chunks).subarray(0, maxBytes);
}

/** Reads until there are more than `maxBytes`. */
async function readChunks(
	stream: ReadableStream<Uint8Array>,
	maxBytes: number,
	maxMs: number,
): Promise<{ readonly chunks: readonly Uint8Array[]; readonly length: number }> {
	const reader = stream.getReader();
	const chunks: Uint8Array[] = [];
	let length = 0;
	let isTimedOut = false;
	const stopTimer = startBackgroundTimer(maxMs, () => {
		isTimedOut = true;
		reader.cancel().catch(() => undefined);
	});
	try {
		for (let next = await reader.read(); !next.done; next = await reader.read()) {
			length += next.value.length;
			chunks.push(next.value);
			if (length > maxBytes) break;
		}
	} finally {
		stopTimer();
		reader.cancel().catch(() => undefined);
	}
	if (isTimedOut) throw timeoutError(maxMs);
	return { chunks, length };
}

const timeoutError = (maxMs: number): SourceError =>
	new SourceError(`The response was not complete after ${maxMs / 1000} seconds, the maximum.`, {
		code: "timeout",
		hint: "The next sync tries again.",
	});
