import type { createServer, IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { type BadRequest, MAX_HEADER_BYTES, toBadRequest } from "./bad-request";
import { gatherChunks } from "./gather-chunks";
import { normalizeTarget } from "./request-target";
import { endAfter, isClosing, prepareResponse } from "./unread-body";

/** Timeouts of a client connection, in milliseconds. 0: no limit. */
export interface ConnectionTimeouts {
	/** Timeout for the request head, from the start of the connection or of the request. */
	readonly headerMs: number;
	/** Timeout for a whole request, its head included. The response may take longer. */
	readonly requestMs: number;
	/** Timeout between two requests on one connection. */
	readonly idleMs: number;
	/**
	 * Timeout for a client that reads nothing of a pending response. The connection ends after between half of this
	 * time and all of it.
	 */
	readonly stalledMs: number;
}

/**
 * Longest time that a connection stays open between two requests, in milliseconds. More than the 60 seconds of usual load
 * balancers, which would else send into a connection that just closed.
 */
export const MAX_IDLE_MS = 65_000;
/**
 * Connections that the system keeps until the server accepts them; the system may keep fewer (`net.core.somaxconn`). Beyond them it drops
 * first packets, which clients send again after 1, 3 and 7 seconds: with Node's default of 511, a storm of connections delays everybody's.
 */
export const MAX_BACKLOG = 4096;
/**
 * Requests that may be sent on one connection before the first of them is answered. The connection ends after the answer to
 * the last; requests behind it are ignored, and a client sends them again (RFC 9112, section 9.3.2).
 */
export const MAX_PIPELINED_REQUESTS = 16;
/** Longest time that an answer waits for its reader, in milliseconds. */
export const MAX_STALLED_MS = 60_000;

export interface HttpServerOptions {
	readonly createServer: typeof createServer;
	readonly timeouts: ConnectionTimeouts;
	/** Writes an error in the server's own format. */
	readonly toError: (problem: BadRequest) => {
		readonly headers: Readonly<Record<string, string>>;
		readonly body: string;
	};
}

/** Interval at which Node checks for connections that took too long, in milliseconds. Node's default is 30 seconds. */
const CHECK_INTERVAL_MS = 1_000;

/**
 * HTTP server whose connections end when their timeouts say, and that refuses requests whose host is ambiguous. Listeners
 * must call {@link prepareResponse} before they answer.
 */
export function createHttpServer(
	listener: RequestListener,
	{ createServer: create, timeouts, toError }: HttpServerOptions,
): Server {
	const { headerMs, requestMs, idleMs, stalledMs } = timeouts;
	const connections = new WeakMap<Duplex, Connection>();
	const server = create(
		{
			headersTimeout: headerMs,
			requestTimeout: requestMs,
			keepAliveTimeout: idleMs,
			connectionsCheckingInterval: CHECK_INTERVAL_MS,
			maxHeaderSize: MAX_HEADER_BYTES,
			joinDuplicateHeaders: true,
			// Checked here: Node says nothing to the client but the status.
			requireHostHeader: false,
		},
		(message, response) => {
			const { socket } = message;
			if (message.headers["transfer-encoding"] !== undefined) gatherChunks(message);
			if (isClosing(socket)) return void message.resume();
			const connection = connections.get(socket) ?? new Connection();
			connections.set(socket, connection);
			connection.begin(response);
			if (connection.unanswered === MAX_PIPELINED_REQUESTS) endAfter(response);
			const problem = normalizeTarget(message);
			if (problem === undefined) listener(message, response);
			else void reject(message, response, { status: problem.status, ...toError(problem) });
		},
	);
	server.on("clientError", (error: NodeJS.ErrnoException, socket: Duplex) => {
		const openResponse = connections.get(socket)?.response;
		const isResponding = openResponse?.headersSent === true && !openResponse.writableEnded;
		if (isResponding || !socket.writable || error.code === "ECONNRESET") return void socket.destroy();
		const problem = toBadRequest(error.code);
		rejectRaw(socket, { status: problem.status, ...toError(problem) });
	});
	// Node fires this for idle connections, too. A connection without an answer waits for a request, which has timeouts of
	// its own, and an answer that is still being made does not wait for its reader.
	server.setTimeout(stalledMs / 2, (socket: Socket) => {
		// It fires as well right behind an answer that took as long: such a connection was not idle for long.
		const idleForMs = performance.now() - (connections.get(socket)?.idleSinceMs ?? Number.POSITIVE_INFINITY);
		if (socket.writableLength > 0 || (idleMs > 0 && idleForMs >= idleMs / 2)) socket.destroy();
	});
	return server;
}

/** Requests of one connection. */
class Connection {
	/** Response to the last request. */
	response: ServerResponse | undefined;
	/** Number of requests without an answer. */
	unanswered = 0;
	/** Time at which the last answer was sent, while no request follows. */
	idleSinceMs = Number.POSITIVE_INFINITY;

	/** Counts a request until its response has been sent, or its client has gone. */
	begin(response: ServerResponse): void {
		this.response = response;
		this.unanswered += 1;
		this.idleSinceMs = Number.POSITIVE_INFINITY;
		response.on("close", this.#end);
	}

	readonly #end = (): void => {
		this.unanswered -= 1;
		if (this.unanswered === 0) this.idleSinceMs = performance.now();
	};
}

interface ErrorResponse extends ReturnType<HttpServerOptions["toError"]> {
	readonly status: BadRequest["status"];
}

async function reject(
	message: IncomingMessage,
	response: ServerResponse,
	{ status, headers, body }: ErrorResponse,
): Promise<void> {
	await prepareResponse(message, response);
	response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) }).end(body);
}

/** The request could not be parsed, so that there is no response to write to. */
function rejectRaw(socket: Duplex, { status, headers, body }: ErrorResponse): void {
	const all = { ...headers, "content-length": Buffer.byteLength(body), connection: "close" };
	const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
	socket.end(`HTTP/1.1 ${status} ${STATUS_TEXTS[status]}\r\n${lines.join("")}\r\n${body}`, () =>
		socket.destroy(),
	);
}

const STATUS_TEXTS = {
	400: "Bad Request",
	408: "Request Timeout",
	431: "Request Header Fields Too Large",
} as const satisfies Readonly<Record<BadRequest["status"], string>>;
