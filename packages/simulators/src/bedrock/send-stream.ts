import type { ServerResponse } from "node:http";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import type { SimulatedReply } from "./behaviour.ts";
import type { StreamPlan } from "./plan-stream.ts";

/** Sends what is planned, at the pace and in the chunks that the reply asks for. */
export async function sendStream(
	response: ServerResponse,
	reply: SimulatedReply,
	{ frames, last }: StreamPlan,
): Promise<void> {
	const { pauseMs = 0, firstEventMs = 0 } = reply;
	response.writeHead(200, { "content-type": "application/vnd.amazon.eventstream", ...reply.headers });
	response.flushHeaders();
	if (firstEventMs > 0) await sleep(firstEventMs);
	for (const chunk of toChunks(frames, reply)) {
		if (response.destroyed) return;
		response.write(chunk);
		if (pauseMs > 0) await sleep(pauseMs);
		else if (reply.chunkBytes !== undefined) await nextTurn();
	}
	if (last === "end") response.end();
	// Only once all that was written is on its way: else it is thrown away.
	else if (last === "break") response.write("", () => response.destroy(new Error("Cut on purpose.")));
}

/** Events one by one where there are pauses between them, else however the bytes fall. */
function toChunks(frames: readonly Buffer[], { chunkBytes, pauseMs = 0 }: SimulatedReply): Buffer[] {
	if (chunkBytes === undefined) return [...frames];
	const segments = pauseMs > 0 ? frames : [Buffer.concat(frames)];
	return segments.flatMap((bytes) => split(bytes, chunkBytes));
}

function split(bytes: Buffer, length: number): Buffer[] {
	const chunks: Buffer[] = [];
	for (let from = 0; from < bytes.length; from += length) chunks.push(bytes.subarray(from, from + length));
	return chunks;
}
