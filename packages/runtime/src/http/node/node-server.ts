import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { omitUndefined } from "@stemma/core/internal";
import {
	type BadRequest,
	createHttpServer,
	createMainThreadQueue,
	createTrustedProxies,
	MAX_IDLE_MS,
	MAX_STALLED_MS,
	type MainThreadQueue,
	prepareResponse,
	type TrustedProxies,
} from "@stemma/protocol";
import { version } from "../../../package.json";
import { loadHttp } from "../../platform/node-http";
import { HttpError, toErrorResponse } from "../http-error";
import type { HttpHandler } from "../http-exchange";
import { type BodyBudget, createBodyBudget } from "../request/body-budget";
import { createRequestId } from "../request/request-id";
import { NodeRequest } from "./node-request";
import { sendResponse } from "./node-response";

/** Time limits for clients, in milliseconds. 0: no limit. */
export interface ServerTimeouts {
	/** Time to send the head of a request. Default 10,000. */
	readonly headerMs?: number | undefined;
	/** Time to send a whole request, its head included. Default 30,000. Answers may take as long as their runs. */
	readonly requestMs?: number | undefined;
	/**
	 * Time between two requests on one connection. Default 65,000: longer than the 60 seconds of usual load balancers.
	 */
	readonly idleMs?: number | undefined;
	/**
	 * Time for the client to read some of an answer that is ready. Default 60,000; may end after half of that. The run
	 * continues.
	 */
	readonly stalledMs?: number | undefined;
}

export interface NodeServerOptions {
	readonly timeouts?: ServerTimeouts | undefined;
	/** Proxies whose headers tell the addresses of callers: addresses, ranges, or `loopback`. Default: none. */
	readonly trustedProxies?: readonly string[] | undefined;
}

export const DEFAULT_TIMEOUTS = {
	headerMs: 10_000,
	requestMs: 30_000,
	idleMs: MAX_IDLE_MS,
	stalledMs: MAX_STALLED_MS,
} as const;

export interface NodeServer {
	readonly server: Server;
	/** Ends each connection with its answer from now on, and idle connections at once. */
	drain(): void;
}

/** A handler as a server of Node, which does not wait for slow clients. */
export async function createNodeServer(
	handle: HttpHandler,
	{ timeouts = {}, trustedProxies = [] }: NodeServerOptions = {},
): Promise<NodeServer> {
	const { createServer } = await loadHttp();
	let isDraining = false;
	const bodies = createBodyBudget();
	const proxies = createTrustedProxies(trustedProxies);
	const turns = createMainThreadQueue({ createError: tooManyWaiting });
	const server = createHttpServer(
		(message, response) => {
			if (isDraining) response.shouldKeepAlive = false;
			void handleRequest(message, response, { handle, bodies, turns, proxies });
		},
		{ createServer, timeouts: { ...DEFAULT_TIMEOUTS, ...omitUndefined(timeouts) }, toError: writeBadRequest },
	);
	return {
		server,
		drain() {
			isDraining = true;
			server.closeIdleConnections();
		},
	};
}

interface RequestParts {
	readonly handle: HttpHandler;
	readonly bodies: BodyBudget;
	readonly turns: MainThreadQueue;
	readonly proxies: TrustedProxies;
}

async function handleRequest(
	message: IncomingMessage,
	response: ServerResponse,
	{ handle, bodies, turns, proxies }: RequestParts,
): Promise<void> {
	const share = bodies.open();
	response.on("close", share.release);
	try {
		const { address: caller = "" } = proxies.findClient(message.socket.remoteAddress, (name) =>
			readHeader(message, name),
		);
		const result = await handle(new NodeRequest(message, response, { share, turns, caller }));
		await prepareResponse(message, response);
		sendResponse(response, result);
	} catch {
		response.destroy();
	}
}

function readHeader({ headers }: IncomingMessage, name: string): string | undefined {
	const value = headers[name];
	return typeof value === "string" ? value : value?.join(", ");
}

const tooManyWaiting = (waiting: number): HttpError =>
	new HttpError(429, `The runtime is busy, and ${waiting} requests of this caller are waiting already.`, {
		code: "too_many_waiting",
		hint: "Send fewer at once and try again later.",
		retryAfterSeconds: 1,
	});

function writeBadRequest({ status, code, message, hint }: BadRequest) {
	const requestId = createRequestId();
	const { headers, body } = toErrorResponse(new HttpError(status, message, { code, hint }), requestId);
	return { headers: { ...headers, "x-request-id": requestId, "stemma-version": version }, body };
}
