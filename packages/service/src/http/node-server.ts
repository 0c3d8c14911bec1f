import { createServer, type Server } from "node:http";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import {
	type BadRequest,
	type ConnectionTimeouts,
	createHttpServer,
	MAX_IDLE_MS,
	MAX_STALLED_MS,
	prepareResponse,
	toErrorBody,
} from "@stemma/protocol";
import { DomainError } from "../errors/domain-error";
import { STEMMA_VERSION } from "../stemma-version";
import { resolveRequestId } from "./request-id";
import type { ConnectionInfo } from "./service-context";

/** Longest time that a client may take to send the head of a request, in milliseconds. */
export const MAX_HEADER_MS = 15_000;
/** Longest time that a client may take to send a whole request, in milliseconds: enough for an upload over a slow line. */
export const MAX_REQUEST_MS = 300_000;

const TIMEOUTS: ConnectionTimeouts = {
	headerMs: MAX_HEADER_MS,
	requestMs: MAX_REQUEST_MS,
	idleMs: MAX_IDLE_MS,
	stalledMs: MAX_STALLED_MS,
};

/** Serves a web-standard handler over HTTP/1.1. @param timeouts - for tests. */
export function createNodeServer(
	fetch: (request: Request, connection: ConnectionInfo) => Response | Promise<Response>,
	timeouts = TIMEOUTS,
): Server {
	const listener = getRequestListener(
		async (request, bindings) => {
			// Without options of another protocol there is no other kind.
			const { incoming, outgoing } = bindings as HttpBindings;
			try {
				return await fetch(request, { address: incoming.socket.remoteAddress });
			} finally {
				await prepareResponse(incoming, outgoing);
			}
		},
		{ overrideGlobalObjects: false },
	);
	return createHttpServer((message, response) => void listener(message, response), {
		createServer,
		timeouts,
		toError: writeBadRequest,
	});
}

function writeBadRequest({ code, message, hint }: BadRequest) {
	const requestId = resolveRequestId();
	const body = toErrorBody(new DomainError(code, message, { hint }), requestId);
	return {
		headers: {
			"content-type": "application/json",
			"x-request-id": requestId,
			"stemma-version": STEMMA_VERSION,
		},
		body: JSON.stringify(body),
	};
}
