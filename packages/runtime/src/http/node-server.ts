import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { loadHttp } from "../platform/node-http";
import { answerError, HttpError } from "./http-error";
import type { HttpHandler } from "./http-exchange";
import { sendAnswer } from "./node-answer";
import { NodeRequest } from "./node-request";
import { createRequestId } from "./request-id";

/** How long a client may take, in milliseconds. 0: as long as it likes. */
export interface ServerTimeouts {
	/** To send the head of a request. Default 10,000. */
	readonly headerMs?: number | undefined;
	/** To send a whole request, its head included. Default 30,000. Answers may take as long as their runs. */
	readonly requestMs?: number | undefined;
	/** Between two requests on one connection. Default 65,000: longer than the 60 seconds of usual load balancers. */
	readonly idleMs?: number | undefined;
}

export const DEFAULT_TIMEOUTS = { headerMs: 10_000, requestMs: 30_000, idleMs: 65_000 } as const;

export interface NodeServer {
	readonly server: Server;
	/** From now on each connection ends with its answer, and those that are idle end now. */
	drain(): void;
}

/** How often connections are looked through for those that took too long. */
const CHECK_MS = 1_000;

/** A handler as a server of Node, which does not wait for slow clients. */
export async function createNodeServer(
	handle: HttpHandler,
	{
		headerMs = DEFAULT_TIMEOUTS.headerMs,
		requestMs = DEFAULT_TIMEOUTS.requestMs,
		idleMs = DEFAULT_TIMEOUTS.idleMs,
	}: ServerTimeouts = {},
): Promise<NodeServer> {
	const { createServer, STATUS_CODES } = await loadHttp();
	let isDraining = false;
	const answers = new WeakMap<Duplex, ServerResponse>();
	const onRequest: RequestListener = (message, response) => {
		answers.set(message.socket, response);
		if (isDraining) response.shouldKeepAlive = false;
		void answer(message, response, handle);
	};
	const timeouts = { headersTimeout: headerMs, requestTimeout: requestMs, keepAliveTimeout: idleMs };
	const server = createServer(
		// A host that is sent twice is none.
		{ ...timeouts, connectionsCheckingInterval: CHECK_MS, joinDuplicateHeaders: true },
		onRequest,
	);
	server.on("clientError", (error: NodeJS.ErrnoException, socket: Duplex) => {
		const isAnswering =
			answers.get(socket)?.headersSent === true && answers.get(socket)?.writableEnded === false;
		if (isAnswering || !socket.writable || error.code === "ECONNRESET") socket.destroy();
		else socket.end(toRawAnswer(toClientError(error.code), STATUS_CODES), () => socket.destroy());
	});
	return {
		server,
		drain() {
			isDraining = true;
			server.closeIdleConnections();
		},
	};
}

async function answer(
	message: IncomingMessage,
	response: ServerResponse,
	handle: HttpHandler,
): Promise<void> {
	try {
		sendAnswer(response, await handle(new NodeRequest(message, response)));
	} catch (error) {
		if (error instanceof HttpError) sendAnswer(response, answerError(error, createRequestId()));
		else response.destroy();
	}
}

function toClientError(code: string | undefined): HttpError {
	if (code === "ERR_HTTP_REQUEST_TIMEOUT")
		return new HttpError(408, "The request took too long to arrive.", {
			code: "request_timeout",
			hint: "Send the head of a request at once, and its body without a pause.",
		});
	if (code === "HPE_HEADER_OVERFLOW")
		return new HttpError(431, "The headers of the request are larger than 16 kB.", {
			code: "headers_too_large",
		});
	return new HttpError(400, "This is not a request of HTTP/1.1.", { code: "invalid_request" });
}

/** There is no response object for a request that could not be read. */
function toRawAnswer(
	{ status, code, message, hint }: HttpError,
	phrases: Readonly<Record<number, string | undefined>>,
): string {
	const requestId = createRequestId();
	const body = JSON.stringify({ error: { code, message, hint, request_id: requestId } });
	return [
		`HTTP/1.1 ${status} ${phrases[status]}`,
		"content-type: application/json",
		`content-length: ${Buffer.byteLength(body)}`,
		`x-request-id: ${requestId}`,
		"connection: close",
		"",
		body,
	].join("\r\n");
}
