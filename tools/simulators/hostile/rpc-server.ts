import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { startServer } from "../start-server.ts";
import { isCutByServer } from "./reset-connection.ts";

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
	isLeft: boolean;
}

/** Gives the result; or answers by itself, and gives nothing. */
export type RpcAnswer = (request: RpcRequest, response: ServerResponse) => unknown;

export interface HostileRpcServer {
	/** `http://127.0.0.1:<port>` */
	readonly origin: string;
	readonly requests: readonly RpcRequest[];
	/** Those of one method of JSON-RPC, or of HTTP. */
	of(method: string): readonly RpcRequest[];
	/** Answers that are neither sent to their end nor broken off. */
	readonly openAnswers: number;
	/** What is done with a method of JSON-RPC, or with one of HTTP, from now on. */
	on(method: string, answer: RpcAnswer): void;
	/** Ends at once, with all connections. */
	close(): Promise<void>;
}

/** @param honest - what a good server answers, by the method. */
export async function startRpcServer(honest: Readonly<Record<string, RpcAnswer>>): Promise<HostileRpcServer> {
	const answers = new Map(Object.entries(honest));
	const requests: RpcRequest[] = [];
	let openAnswers = 0;
	const server = await startServer(0, async (incoming, response) => {
		const { method: http = "", url: path = "/", headers } = incoming;
		openAnswers += 1;
		const request: RpcRequest = { ...readMessage(await text(incoming)), http, path, headers, isLeft: false };
		response.on("close", () => {
			openAnswers -= 1;
			request.isLeft = !response.writableFinished && !isCutByServer(response);
		});
		requests.push(request);
		const answer = answers.get((http === "POST" && request.method) || http) ?? answers.get("*");
		if (answer === undefined) return void response.writeHead(405).end();
		const result = await answer(request, response);
		if (result !== undefined) sendRpc(response, { id: request.id, result });
	});
	return {
		origin: server.origin,
		requests,
		of: (method) => requests.filter((one) => one.method === method || one.http === method),
		get openAnswers() {
			return openAnswers;
		},
		on: (method, answer) => void answers.set(method, answer),
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
