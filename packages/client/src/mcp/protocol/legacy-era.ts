import type { JsonObject } from "@stemma/core";
import type { SseReader } from "@stemma/core/sse";
import type { OpenResponse } from "../../client";
import type { TimeoutError } from "../../errors/errors";
import type { createCallTimeout } from "../../http/call-timeout";
import type { CallOptions } from "../../options/call-options";
import type { McpError } from "../mcp-error";
import type { RpcMessage } from "../wire";
import type { drainResponse } from "./drain-response";
import type { Era, EraCall, readServer, withMeta } from "./era";
import type { exchange, McpEndpoint, sendMessage } from "./exchange";
import { type Failure, initialize, notify, type Session } from "./legacy-handshake";

/**
 * Dependencies that the caller passes in. This module imports none of them itself, because a bundler would split them
 * off from what every page loads.
 */
export interface LegacyDependencies {
	readonly createCallTimeout: typeof createCallTimeout;
	readonly exchange: typeof exchange;
	readonly McpError: typeof McpError;
	readonly sendMessage: typeof sendMessage;
	readonly drainResponse: typeof drainResponse;
	readonly readServer: typeof readServer;
	readonly TimeoutError: typeof TimeoutError;
	readonly withMeta: typeof withMeta;
}

/** Maximum number of times that a stream is opened again after it ended too early. */
const MAX_RESUMES = 5;
/**
 * Delays before a stream is opened again, in milliseconds: the default where the server gives none, and the maximum.
 */
const DEFAULT_RESUME_DELAY_MS = 1000;
const MAX_RESUME_DELAY_MS = 60_000;
/** Maximum number of replies to requests that the server sends during one call; each reply is a request of its own. */
const MAX_REPLIES = 100;

/** Up to 2025-11-25: a session that begins with `initialize`. @throws what the handshake throws. */
export async function openLegacyEra(endpoint: McpEndpoint, deps: LegacyDependencies): Promise<Era> {
	let opening: Promise<Session> | undefined;

	/** All who need a session wait for the same handshake. A failure is not kept. */
	function open(): Promise<Session> {
		if (opening !== undefined) return opening;
		const handshake = initialize(endpoint, deps);
		opening = handshake;
		handshake.catch(() => forget(handshake));
		return handshake;
	}

	function forget(session: Promise<Session>): void {
		if (opening === session) opening = undefined;
	}

	const notifyServer = (headers: Session["headers"], message: object): void =>
		void notify(endpoint, deps, headers, message).catch(() => undefined);

	async function send(
		{ headers }: Session,
		method: string,
		params: JsonObject,
		call: EraCall,
	): Promise<JsonObject> {
		const id = endpoint.nextId();
		let isSent = false;
		let replies = 0;
		try {
			const { result } = await deps.exchange(endpoint, {
				id,
				method,
				params: call.wantsProgress ? deps.withMeta(params, { progressToken: id }) : params,
				headers,
				options: call.options,
				onSend: () => {
					isSent = true;
				},
				onMessage(message) {
					if (message.id === undefined) call.onMessage(message, id);
					else if (++replies <= MAX_REPLIES) notifyServer(headers, toReply(message));
				},
				resume: (position, attempt) => resume(headers, position, attempt, call.options),
			});
			return result;
		} catch (error) {
			// Losing the connection cancels nothing in this era.
			if (isSent && wasAbandoned(error, call.options))
				notifyServer(headers, { method: "notifications/cancelled", params: { requestId: id } });
			throw error;
		}
	}

	/** Checks whether this client stopped waiting for the response. */
	const wasAbandoned = (error: unknown, { signal }: CallOptions): boolean =>
		signal?.aborted === true ||
		deps.TimeoutError.is(error) ||
		(deps.McpError.is(error) && error.code === "result_too_large");

	async function resume(
		headers: Session["headers"],
		{ lastEventId, retryMs = DEFAULT_RESUME_DELAY_MS }: Pick<SseReader, "lastEventId" | "retryMs">,
		attempt: number,
		options: CallOptions,
	): Promise<OpenResponse | undefined> {
		// Other characters cannot go out.
		if (attempt > MAX_RESUMES || !/^[ -~]+$/.test(lastEventId)) return undefined;
		const callTimeout = deps.createCallTimeout({}, options.signal);
		await callTimeout.sleep(Math.min(retryMs, MAX_RESUME_DELAY_MS)).finally(() => callTimeout.end());
		return deps.sendMessage(endpoint, {
			method: "GET",
			headers: { ...headers, accept: "text/event-stream", "last-event-id": lastEventId },
			options,
		});
	}

	let last = await open();
	return {
		protocol: "legacy",
		get revision() {
			return last.server.protocolVersion;
		},
		async request(method, params, call) {
			const opened = open();
			last = await opened;
			const { hasId } = last;
			try {
				return await send(last, method, params, call);
			} catch (error) {
				// The request was not taken: it may go out again, in a new session.
				if (!hasId || !isSessionLost(error as Failure)) throw error;
				forget(opened);
				last = await open();
				return send(last, method, params, call);
			}
		},
		server: async () => (await open()).server,
		async close() {
			const closing = opening;
			opening = undefined;
			const session = await closing?.catch(() => undefined);
			if (!session?.hasId) return;
			const { client, path } = endpoint;
			// Servers need not take it.
			const response = await client
				.open({ method: "DELETE", path, headers: session.headers, acceptStatus: () => true, retry: "never" })
				.catch(() => undefined);
			if (response) await deps.drainResponse(response);
		},
	};
}

/** Requests of the server must have an answer. */
const toReply = ({ id, method }: RpcMessage): object =>
	method === "ping"
		? { id, result: {} }
		: { id, error: { code: -32601, message: "This client has no such method." } };

/** 404, says the specification; several servers say 400. */
const isSessionLost = ({ status, message = "" }: Failure): boolean =>
	status === 404 || (status === 400 && /session/i.test(message));
