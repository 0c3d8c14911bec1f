import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { JsonObject } from "@stemma/core";
import { afterAll, beforeAll } from "vitest";
import { KEEP_ALIVE_MS } from "../start-server.ts";

/** A request as it came in. */
export interface ReceivedRequest {
	readonly method: string;
	readonly path: string;
	readonly headers: IncomingHttpHeaders;
	/** Of JSON-RPC; empty for what has no body. */
	readonly rpc: { readonly id?: number | string; readonly method?: string; readonly params?: JsonObject };
	/** The caller went away before it was answered. */
	isAborted: boolean;
}

export type RequestHandler = (request: ReceivedRequest, response: ServerResponse) => void | Promise<void>;

/** A server on a port that answers as it is told, and remembers what it was asked. */
export interface RpcServer {
	readonly url: string;
	readonly received: ReceivedRequest[];
	/** Answers everything from now on, and forgets what was asked. */
	handle(handle: RequestHandler): void;
}

/** One server for the tests of a file. */
export function useRpcServer(): RpcServer {
	const received: ReceivedRequest[] = [];
	let handle: RequestHandler = (_, response) => void response.writeHead(404).end();
	let url = "";
	const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, async (incoming, response) => {
		let text = "";
		for await (const chunk of incoming) text += chunk;
		const request: ReceivedRequest = {
			method: incoming.method ?? "",
			path: incoming.url ?? "",
			headers: incoming.headers,
			rpc: text === "" ? {} : JSON.parse(text),
			isAborted: false,
		};
		response.on("close", () => {
			request.isAborted = !response.writableFinished;
		});
		received.push(request);
		await handle(request, response);
	});
	beforeAll(async () => {
		await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
		url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	});
	afterAll(() => {
		server.closeAllConnections();
		return new Promise((resolve) => server.close(resolve));
	});
	return {
		get url() {
			return url;
		},
		received,
		handle(next) {
			received.length = 0;
			handle = next;
		},
	};
}

export function sendJson(response: ServerResponse, body: unknown, status = 200): void {
	response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

export const beginEvents = (response: ServerResponse): void =>
	void response.writeHead(200, { "content-type": "text/event-stream" }).write(": hello\n\n");

export const sendEvent = (response: ServerResponse, data: unknown): void =>
	void response.write(`data: ${JSON.stringify(data)}\n\n`);
