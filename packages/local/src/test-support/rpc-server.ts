import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { JsonObject } from "@stemma/core";
import { afterAll, beforeAll } from "vitest";

/** A request as it came in. */
export interface SeenRequest {
	readonly method: string;
	readonly path: string;
	readonly headers: IncomingHttpHeaders;
	/** Of JSON-RPC; empty for what has no body. */
	readonly rpc: { readonly id?: number | string; readonly method?: string; readonly params?: JsonObject };
	/** The caller went away before it was answered. */
	isLeft: boolean;
}

export type Answer = (request: SeenRequest, response: ServerResponse) => void | Promise<void>;

/** A server on a port that answers as it is told, and remembers what it was asked. */
export interface RpcServer {
	readonly url: string;
	readonly seen: SeenRequest[];
	/** Answers everything from now on, and forgets what was asked. */
	answer(answer: Answer): void;
}

/** One server for the tests of a file. */
export function useRpcServer(): RpcServer {
	const seen: SeenRequest[] = [];
	let answer: Answer = (_, response) => void response.writeHead(404).end();
	let url = "";
	const server = createServer(async (incoming, response) => {
		let text = "";
		for await (const chunk of incoming) text += chunk;
		const request: SeenRequest = {
			method: incoming.method ?? "",
			path: incoming.url ?? "",
			headers: incoming.headers,
			rpc: text === "" ? {} : JSON.parse(text),
			isLeft: false,
		};
		response.on("close", () => {
			request.isLeft = !response.writableFinished;
		});
		seen.push(request);
		await answer(request, response);
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
		seen,
		answer(next) {
			seen.length = 0;
			answer = next;
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
