import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/** Handler of requests, as routes of apps are. */
export type FetchHandler = (request: Request) => Promise<Response> | Response;

/** Server on a port of this machine. */
export interface FetchServer {
	readonly origin: string;
	close(): void;
}

/** Serves a handler over HTTP. A client that leaves aborts its request. */
export async function serveFetch(handle: FetchHandler): Promise<FetchServer> {
	const server = createServer(async (request, response) => {
		const { status, headers, body } = await handle(toRequest(request, response));
		response.writeHead(status, Object.fromEntries(headers));
		if (body === null) return void response.end();
		// The client may have left.
		await pipeline(Readable.from(body), response).catch(() => undefined);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return {
		origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		close() {
			server.close();
			server.closeAllConnections();
		},
	};
}

function toRequest(request: IncomingMessage, response: ServerResponse): Request {
	const { method = "GET", url = "/", headers } = request;
	const controller = new AbortController();
	response.on("close", () => controller.abort());
	const hasBody = method !== "GET" && method !== "HEAD";
	// Node asks for `duplex` with a stream; the type does not know it.
	const init = {
		method,
		headers: Object.entries(headers).map(([name, value]) => [name, String(value)]),
		signal: controller.signal,
		...(hasBody && { body: Readable.toWeb(request), duplex: "half" }),
	} as RequestInit;
	return new Request(`http://${headers.host}${url}`, init);
}
