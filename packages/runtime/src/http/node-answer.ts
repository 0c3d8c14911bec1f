import type { IncomingMessage, ServerResponse } from "node:http";
import { startBackgroundTimer } from "../platform/background-timer";
import type { HttpAnswer } from "./http-exchange";
import { sendEvents } from "./node-events";

/** How long what still comes of a request is read after its answer, so that the client reads the answer. */
const DRAIN_MS = 500;

/** Sends an answer as Node does. */
export function sendAnswer(response: ServerResponse, { status, headers, body }: HttpAnswer): void {
	if (response.destroyed) return;
	response.on("finish", onFinish);
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

/** Not faster than it is read. A stream that breaks takes its connection along: the client is to see that it has no end. */
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

function onFinish(this: ServerResponse): void {
	if (!this.req.complete) endUpload(this.req);
}

/** A client that goes on sending after its answer is let go. */
function endUpload(message: IncomingMessage): void {
	const stop = startBackgroundTimer(DRAIN_MS, () => message.socket.destroySoon());
	message.on("end", stop);
	message.resume();
}
