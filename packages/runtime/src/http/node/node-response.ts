import type { ServerResponse } from "node:http";
import type { HttpResponse } from "../http-exchange";
import { sendEvents } from "./node-events";

/** Sends an answer as Node does. */
export function sendResponse(response: ServerResponse, { status, headers, body }: HttpResponse): void {
	if (response.destroyed) return;
	if (typeof body === "string") {
		response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) });
		response.end(body);
		return;
	}
	response.writeHead(status, headers);
	if (body === null || response.req.method === "HEAD") response.end();
	else if ("run" in body) sendEvents(response, body);
	else void sendStream(response, body.getReader());
}

/**
 * Sends a stream, no faster than it is read. If the stream breaks, its connection is closed, so that the client sees
 * that it is incomplete.
 */
async function sendStream(
	response: ServerResponse,
	reader: ReadableStreamDefaultReader<Uint8Array>,
): Promise<void> {
	let wake = (): void => undefined;
	response.flushHeaders();
	response.on("drain", () => wake());
	response.on("close", () => {
		wake();
		reader.cancel().catch(() => undefined);
	});
	try {
		for (let next = await reader.read(); !next.done && !response.destroyed; next = await reader.read())
			if (!response.write(next.value))
				await new Promise<void>((resolve) => {
					wake = resolve;
				});
		response.end();
	} catch {
		response.destroy();
	}
}
