import type { ServerResponse } from "node:http";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { constants, gzipSync } from "node:zlib";
import type { WireOptions } from "./behaviour.ts";
import { resetConnection } from "./reset-connection.ts";

const HEARTBEAT_MS = 20;

/** One event as the standard has it; data that is no text is written as JSON. */
export function toEventText(data: unknown): string {
	const { type, seq } = (data ?? {}) as { readonly type?: unknown; readonly seq?: unknown };
	const lines = (typeof data === "string" ? data : JSON.stringify(data)).split("\n");
	const id = seq === undefined ? "" : `id: ${seq}\n`;
	const event = typeof type === "string" ? `event: ${type}\n` : "";
	return `${id}${event}${lines.map((line) => `data: ${line}\n`).join("")}\n`;
}

const PARTIAL_EVENT = 'event: text.delta\ndata: {"type":"text.delta","seq":999999,"te';

/** Writes a stream of events in the way that is asked for, and ends it so. */
export async function writeEvents(
	response: ServerResponse,
	text: string,
	options: WireOptions,
): Promise<void> {
	const { contentType = "text/event-stream", contentEncoding, ending = "end" } = options;
	response.writeHead(200, {
		"content-type": contentType,
		...(contentEncoding === undefined ? {} : { "content-encoding": "gzip" }),
	});
	response.flushHeaders();
	await writeInChunks(
		response,
		encode(ending.startsWith("half-event") ? text + PARTIAL_EVENT : text, options),
		options,
	);
	if (ending === "heartbeats") return sendHeartbeats(response);
	if (ending === "silence") return;
	if (ending === "cut") return void response.socket?.end();
	if (!ending.endsWith("reset")) return void response.end();
	// What was written is to arrive before the reset: a reset overtakes it.
	await sleep(HEARTBEAT_MS);
	resetConnection(response);
}

function encode(
	text: string,
	{ lineEnd = "\n", startsWithBom = false, contentEncoding }: WireOptions,
): Buffer {
	const whole = `${startsWithBom ? "\uFEFF" : ""}${text.replaceAll("\n", lineEnd)}`;
	if (contentEncoding === undefined) return Buffer.from(whole);
	const zipped = gzipSync(whole, { finishFlush: constants.Z_SYNC_FLUSH });
	if (contentEncoding === "broken-gzip") zipped.fill(255, Math.floor(zipped.length / 2));
	return zipped;
}

/** Each chunk is one of HTTP's own, and so arrives as a piece of its own. */
async function writeInChunks(
	response: ServerResponse,
	bytes: Buffer,
	{ chunkBytes = bytes.length }: WireOptions,
) {
	for (let from = 0; from < bytes.length && !response.destroyed; from += chunkBytes) {
		if (!response.write(bytes.subarray(from, from + chunkBytes))) await nextTurn();
	}
}

async function sendHeartbeats(response: ServerResponse): Promise<void> {
	while (!response.destroyed) {
		response.write(": heartbeat\n\n");
		await sleep(HEARTBEAT_MS);
	}
}
