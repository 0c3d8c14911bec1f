import {
	createServer,
	type IncomingMessage,
	type RequestListener,
	type Server,
	type ServerResponse,
	STATUS_CODES,
} from "node:http";
import type { Duplex } from "node:stream";
import { getRequestListener } from "@hono/node-server";
import { HttpError, toErrorResponse } from "./http-error";
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

export interface NodeServer {
	readonly server: Server;
	/** From now on each connection ends with its answer, and those that are idle end now. */
	drain(): void;
}

/** How often connections are looked through for those that took too long. */
const CHECK_MS = 1_000;

/** A web-standard handler as a server of Node, which does not wait for slow clients. */
export function createNodeServer(
	fetch: (request: Request) => Promise<Response>,
	{ headerMs = 10_000, requestMs = 30_000, idleMs = 65_000 }: ServerTimeouts = {},
): NodeServer {
	let isDraining = false;
	const answers = new WeakMap<Duplex, ServerResponse>();
	const listener = getRequestListener(fetch, {
		// A server inside someone's program leaves that program's globals alone.
		overrideGlobalObjects: false,
		errorHandler: refuseRequest,
	});
	const onRequest: RequestListener = (request: IncomingMessage, response: ServerResponse) => {
		answers.set(request.socket, response);
		if (isDraining) response.shouldKeepAlive = false;
		void listener(request, response);
	};
	const timeouts = { headersTimeout: headerMs, requestTimeout: requestMs, keepAliveTimeout: idleMs };
	const server = createServer({ ...timeouts, connectionsCheckingInterval: CHECK_MS }, onRequest);
	server.on("clientError", (error: NodeJS.ErrnoException, socket: Duplex) => {
		const isAnswering =
			answers.get(socket)?.headersSent === true && answers.get(socket)?.writableEnded === false;
		if (isAnswering || !socket.writable || error.code === "ECONNRESET") socket.destroy();
		else socket.end(toRawAnswer(toClientError(error.code)), () => socket.destroy());
	});
	return {
		server,
		drain() {
			isDraining = true;
			server.closeIdleConnections();
		},
	};
}

/** For requests that are none: no host, or one that cannot be. */
const refuseRequest = (): Response =>
	toErrorResponse(
		new HttpError(400, "The request's address or host is not valid.", { code: "invalid_request" }),
		createRequestId(),
	);

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
function toRawAnswer({ status, code, message, hint }: HttpError): string {
	const requestId = createRequestId();
	const body = JSON.stringify({ error: { code, message, hint, request_id: requestId } });
	return [
		`HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
		"content-type: application/json",
		`content-length: ${Buffer.byteLength(body)}`,
		`x-request-id: ${requestId}`,
		"connection: close",
		"",
		body,
	].join("\r\n");
}
