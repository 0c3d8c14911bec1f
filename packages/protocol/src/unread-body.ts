import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Longest time that what still comes of a refused request is read and discarded, in milliseconds. */
export const MAX_LINGER_MS = 2_000;

/** Largest body whose rest is looked for before its connection is given up, in bytes. */
const MAX_SHORT_BODY_BYTES = 64 * 1024;

/** Connections that take no more requests. */
const closingSockets = new WeakSet<Socket>();

/** True if the connection has announced its end: a request that still arrives on it must not be processed (RFC 9112, section 9.6). */
export const isClosing = (socket: Socket): boolean => closingSockets.has(socket);

/** Ends the connection of a response after it: requests that still come must not be processed. */
export function endAfter(response: ServerResponse): void {
	closingSockets.add(response.req.socket);
	response.shouldKeepAlive = false;
}

/**
 * Prepares the connection for an answer whose head is about to be sent. Where the request has not arrived whole, the answer
 * says `connection: close`, and its connection ends with it: a proxy that sent the next request behind the rest of this one
 * would lose it.
 */
export async function prepareResponse(request: IncomingMessage, response: ServerResponse): Promise<void> {
	// What the system has received already is read in this turn of the event loop.
	if (!request.complete && Number(request.headers["content-length"]) <= MAX_SHORT_BODY_BYTES)
		await new Promise((resolve) => setImmediate(resolve));
	if (request.complete || !hasBody(request)) {
		if (!request.readableEnded) response.on("finish", discardUnread);
		return;
	}
	const { socket } = request;
	closingSockets.add(socket);
	response.setHeader("connection", "close");
	// Node calls it once the answer is sent.
	socket.destroySoon = () => linger(socket, request);
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
	headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

/**
 * Ends a connection so that its client can read the answer: a socket that is closed while bytes arrive is reset, and an
 * answer that was not read yet is lost with it.
 */
function linger(socket: Socket, request: IncomingMessage): void {
	if (socket.writableEnded) return;
	const timer = setTimeout(() => socket.destroy(), MAX_LINGER_MS);
	socket.once("close", () => clearTimeout(timer));
	discard(request);
	socket.end();
}

function discardUnread(this: ServerResponse): void {
	discard(this.req);
}

/** Reads what is left of a request, so that the connection can go on. */
function discard(request: IncomingMessage): void {
	if (request.readableEnded || request.destroyed) return;
	// A reader that was left in the middle would pause it for ever.
	request.removeAllListeners("data");
	request.removeAllListeners("readable");
	request.resume();
}
