import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { startServer } from "../start-server.ts";
import { isResetByServer } from "./reset-connection.ts";

/** A request as it came in, with what its JSON-RPC message says, if it has one. */
export interface RpcRequest {
	readonly http: string;
	/** With the query. */
	readonly path: string;
	readonly headers: IncomingHttpHeaders;
	readonly id?: unknown;
	readonly method?: string;
	readonly params?: Readonly<Record<string, unknown>>;
	readonly result?: unknown;
	/** Whoever asked has left before the answer was whole. */
	isAborted: boolean;
}

/** Gives the result; or answers by itself, and gives nothing. */
export type RpcHandler = (request: RpcRequest, response: ServerResponse) => unknown;

export interface HostileRpcServer {
	/** `http://127.0.0.1:<port>` */
	readonly origin: string;
	readonly requests: readonly RpcRequest[];
	/** Those of one method of JSON-RPC, or of HTTP. */
	of(method: string): readonly RpcRequest[];
	/** Answers that are neither sent to their end nor broken off. */
	readonly openResponses: number;
	/** What is done with a method of JSON-RPC, or with one of HTTP, from now on. */
	on(method: string, handler: RpcHandler): void;
	/** Ends at once, with all connections. */
	close(): Promise<void>;
}

/** @param defaults - what a good server answers, by the method. */
export async function startRpcServer(
	defaults: Readonly<Record<string, RpcHandler>>,
): Promise<HostileRpcServer> {
	const handlers = new Map(Object.entries(defaults));
	const requests: RpcRequest[] = [];
	let openResponses = 0;
	const server = await startServer(0, async (incoming, response) => {
		const { method: http = "", url: path = "/", headers } = incoming;
		openResponses += 1;
		const request: RpcRequest = {
			...readMessage(await text(incoming)),
			http,
			path,
			headers,
			isAborted: false,
		};
		response.on("close", () => {
			openResponses -= 1;
			request.isAborted = !response.writableFinished && !isResetByServer(response);
		});
		requests.push(request);
		const handler = handlers.get((http === "POST" && request.method) || http) ?? handlers.get("*");
		if (handler === undefined) return void response.writeHead(405).end();
		const result = await handler(request, response);
		if (result !== undefined) sendRpc(response, { id: request.id, result });
	});
	return {
		origin: server.origin,
		requests,
		of: (method) => requests.filter((one) => one.method === method || one.http === method),
		get openResponses() {
			return openResponses;
		},
		on: (method, handler) => void handlers.set(method, handler),
		close: server.close,
	};
}

function readMessage(body: string): Pick<RpcRequest, "id" | "method" | "params" | "result"> {
	return body === "" ? {} : JSON.parse(body);
}

export const sendRpc = (response: ServerResponse, message: object, status = 200): void =>
	sendText(response, JSON.stringify({ jsonrpc: "2.0", ...message }), status);

export const sendText = (
	response: ServerResponse,
	body: string,
	status = 200,
	type = "application/json",
): void => void response.writeHead(status, { "content-type": type }).end(body);

/** One event of a stream, which goes on. */
export function sendRpcEvent(response: ServerResponse, message: object, id?: string): void {
	if (!response.headersSent) response.writeHead(200, { "content-type": "text/event-stream" });
	const text = JSON.stringify({ jsonrpc: "2.0", ...message });
	response.write(`${id === undefined ? "" : `id: ${id}\n`}data: ${text}\n\n`);
}
