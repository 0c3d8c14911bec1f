import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** A request as it came in. */
export interface ReceivedRequest {
	readonly method: string;
	readonly path: string;
	readonly query: URLSearchParams;
	readonly headers: IncomingHttpHeaders;
	readonly body: Buffer;
	/** The body as JSON. */
	json<Body = Record<string, unknown>>(): Body;
}

/** Answers one request; what it does with the response is its own affair. */
export type RequestHandler = (request: ReceivedRequest, response: ServerResponse) => void | Promise<void>;

/** A server on a port that does as it is told, and remembers what it was asked. */
export interface TestServer {
	readonly url: string;
	/** All requests so far, but for those to the token endpoint. */
	readonly requests: readonly ReceivedRequest[];
	readonly tokenRequests: readonly ReceivedRequest[];
	/** Answers a route, `GET /v1/runs/:id` say, from now on. */
	on(route: string, handler: RequestHandler): void;
	/** Answers a route by these, one after the other; the last one stays. */
	sequence(route: string, ...handlers: readonly RequestHandler[]): void;
	/** Refuses connections for so long, as a restart does. */
	restart(milliseconds: number): Promise<void>;
	close(): Promise<void>;
}

export async function createTestServer(): Promise<TestServer> {
	const routes = new Map<string, RequestHandler>();
	const requests: ReceivedRequest[] = [];
	const tokenRequests: ReceivedRequest[] = [];
	const sockets = new Set<Socket>();

	function findRoute(method: string, path: string): RequestHandler {
		for (const [route, handler] of routes) {
			const pattern = new RegExp(`^${route.replace(/:\w+/g, "[^/]+")}$`);
			if (pattern.test(`${method} ${path}`)) return handler;
		}
		return (_, response) =>
			sendError(response, 404, { code: "route_not_found", message: `${method} ${path}` });
	}

	function start(port: number): Promise<Server> {
		const server = createServer(async (incoming, response) => {
			const chunks: Buffer[] = [];
			for await (const chunk of incoming) chunks.push(chunk);
			const url = new URL(incoming.url ?? "/", "http://test");
			const body = Buffer.concat(chunks);
			const request: ReceivedRequest = {
				method: incoming.method ?? "",
				path: url.pathname,
				query: url.searchParams,
				headers: incoming.headers,
				body,
				json: () => JSON.parse(body.toString()),
			};
			(url.pathname === "/oauth/token" ? tokenRequests : requests).push(request);
			response.setHeader("x-request-id", `req_${requests.length}`);
			await findRoute(request.method, request.path)(request, response);
		});
		server.on("connection", (socket: Socket) => {
			sockets.add(socket);
			socket.on("close", () => sockets.delete(socket));
		});
		return new Promise((resolve) => server.listen(port, "127.0.0.1", () => resolve(server)));
	}

	const stop = (server: Server): Promise<void> =>
		new Promise((resolve) => {
			server.close(() => resolve());
			for (const socket of sockets) socket.destroy();
		});

	let server = await start(0);
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		requests,
		tokenRequests,
		on: (route, handler) => void routes.set(route, handler),
		sequence(route, ...handlers) {
			let next = 0;
			routes.set(route, (request, response) => {
				const handler = handlers[Math.min(next, handlers.length - 1)];
				next += 1;
				return handler?.(request, response);
			});
		},
		async restart(milliseconds) {
			await stop(server);
			await new Promise((resolve) => setTimeout(resolve, milliseconds));
			server = await start(port);
		},
		close: () => stop(server),
	};
}

export function sendJson(response: ServerResponse, body: unknown, status = 200): void {
	response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

export const respondWithJson =
	(body: unknown, status = 200): RequestHandler =>
	(_, response) =>
		sendJson(response, body, status);

export interface WireError {
	readonly code: string;
	readonly message?: string;
	readonly hint?: string;
	readonly param?: string;
	readonly details?: object;
}

export const sendError = (response: ServerResponse, status: number, error: WireError): void =>
	sendJson(response, { error: { message: "It is not to be.", request_id: "req_1", ...error } }, status);

export const respondWithError =
	(status: number, error: WireError, headers: Readonly<Record<string, string>> = {}): RequestHandler =>
	(_, response) => {
		for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
		sendError(response, status, error);
	};

/** The page of something else than the service. */
export const respondWithHtml: RequestHandler = (_, response) =>
	void response.writeHead(200, { "content-type": "text/html" }).end("<html>Welcome</html>");

/** Cuts the connection without an answer. */
export const closeConnection: RequestHandler = (_, response) => void response.socket?.destroy();

/** Never answers. */
export const neverRespond: RequestHandler = () => undefined;

export interface SentEvent {
	readonly type: string;
	readonly seq: number;
}

export const toSse = (event: SentEvent): string =>
	`id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

/** Begins an event stream and writes these events; `end` it, or leave it open. */
export function sendEvents(response: ServerResponse, events: readonly SentEvent[]): void {
	response.writeHead(200, { "content-type": "text/event-stream" });
	response.write(`: hello\n\n${events.map(toSse).join("")}`);
}

export const respondWithEvents =
	(events: readonly SentEvent[]): RequestHandler =>
	(_, response) => {
		sendEvents(response, events);
		response.end();
	};

/** A token endpoint with tokens `token_1`, `token_2`, … */
export function respondWithTokens(expiresIn = 900): RequestHandler {
	let count = 0;
	return (_, response) => {
		count += 1;
		sendJson(response, {
			access_token: `token_${count}`,
			token_type: "bearer",
			expires_in: expiresIn,
			scope: "ask",
		});
	};
}
