import type { JsonObject } from "@stemma/core";
import type { SseReader } from "@stemma/core/sse";
import type { OpenResponse } from "../../client";
import { TimeoutError } from "../../errors/errors";
import { runWithTimeout } from "../../http/call-timeout";
import { drainResponse } from "../../http/drain-response";
import type { CallOptions } from "../../options/call-options";
import { McpError } from "../mcp-error";
import type { RpcMessage, RpcParams } from "../wire";
import { type Era, type EraCall, type McpServer, withMeta } from "./era";
import { exchange, type McpEndpoint, sendMessage } from "./exchange";
import { type Failure, initialize, notify, type Session } from "./legacy-handshake";
import { DRAIN_TIMEOUT_MS } from "./read-response";

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
export async function openLegacyEra(endpoint: McpEndpoint): Promise<Era> {
	const sessions = new Sessions(endpoint);
	return new LegacyEra(endpoint, sessions, await sessions.open());
}

/** The session with a server. All who need it wait for the same handshake; a failure is not kept. */
class Sessions {
	readonly #endpoint: McpEndpoint;
	#opening: Promise<Session> | undefined;

	constructor(endpoint: McpEndpoint) {
		this.#endpoint = endpoint;
	}

	open(): Promise<Session> {
		if (this.#opening !== undefined) return this.#opening;
		const handshake = initialize(this.#endpoint);
		this.#opening = handshake;
		handshake.catch(() => this.forget(handshake));
		return handshake;
	}

	forget(session: Promise<Session>): void {
		if (this.#opening === session) this.#opening = undefined;
	}

	/** Returns the session, if there is one, and forgets it. */
	async take(): Promise<Session | undefined> {
		const opening = this.#opening;
		this.#opening = undefined;
		return opening?.catch(() => undefined);
	}
}

class LegacyEra implements Era {
	readonly protocol = "legacy";
	readonly #endpoint: McpEndpoint;
	readonly #sessions: Sessions;
	#last: Session;

	constructor(endpoint: McpEndpoint, sessions: Sessions, last: Session) {
		this.#endpoint = endpoint;
		this.#sessions = sessions;
		this.#last = last;
	}

	get revision(): string {
		return this.#last.server.protocolVersion;
	}

	async request(method: string, params: RpcParams, call: EraCall): Promise<JsonObject> {
		const opened = this.#sessions.open();
		this.#last = await opened;
		const { hasId } = this.#last;
		try {
			return await this.#send(this.#last, method, params, call);
		} catch (error) {
			// The request was not taken: it may go out again, in a new session.
			if (!hasId || !isSessionLost(error)) throw error;
			this.#sessions.forget(opened);
			this.#last = await this.#sessions.open();
			return this.#send(this.#last, method, params, call);
		}
	}

	async server(): Promise<McpServer> {
		return (await this.#sessions.open()).server;
	}

	async close(): Promise<void> {
		const session = await this.#sessions.take();
		if (!session?.hasId) return;
		const { client, path } = this.#endpoint;
		// Servers need not take it.
		const response = await client
			.open({ method: "DELETE", path, headers: session.headers, acceptStatus: () => true, retry: "never" })
			.catch(() => undefined);
		if (response) await drainResponse(response, DRAIN_TIMEOUT_MS);
	}

	async #send({ headers }: Session, method: string, params: RpcParams, call: EraCall): Promise<JsonObject> {
		const id = this.#endpoint.nextId();
		let isSent = false;
		let replies = 0;
		try {
			const { result } = await exchange(this.#endpoint, {
				id,
				method,
				params: call.wantsProgress ? withMeta(params, { progressToken: id }) : params,
				headers,
				options: call.options,
				onSend: () => {
					isSent = true;
				},
				onMessage: (message) => {
					if (message.id === undefined) call.onMessage(message, id);
					else if (++replies <= MAX_REPLIES) this.#notify(headers, toReply(message));
				},
				resume: (position, attempt) => this.#resume(headers, position, attempt, call.options),
			});
			return result;
		} catch (error) {
			// Losing the connection cancels nothing in this era.
			if (isSent && wasAbandoned(error, call.options))
				this.#notify(headers, { method: "notifications/cancelled", params: { requestId: id } });
			throw error;
		}
	}

	#notify(headers: Session["headers"], message: object): void {
		notify(this.#endpoint, headers, message).catch(() => undefined);
	}

	async #resume(
		headers: Session["headers"],
		{ lastEventId, retryMs = DEFAULT_RESUME_DELAY_MS }: Pick<SseReader, "lastEventId" | "retryMs">,
		attempt: number,
		options: CallOptions,
	): Promise<OpenResponse | undefined> {
		// Other characters cannot go out.
		if (attempt > MAX_RESUMES || !/^[ -~]+$/.test(lastEventId)) return undefined;
		const delayMs = Math.min(retryMs, MAX_RESUME_DELAY_MS);
		await runWithTimeout({}, options.signal, (limit) => limit.sleep(delayMs));
		return sendMessage(this.#endpoint, {
			method: "GET",
			headers: { ...headers, accept: "text/event-stream", "last-event-id": lastEventId },
			options,
		});
	}
}

/** Checks whether this client stopped waiting for the response. */
const wasAbandoned = (error: unknown, { signal }: CallOptions): boolean =>
	signal?.aborted === true ||
	TimeoutError.is(error) ||
	(McpError.is(error) && error.code === "result_too_large");

/** Requests of the server must have an answer. */
const toReply = ({ id, method }: RpcMessage): object =>
	method === "ping"
		? { id, result: {} }
		: { id, error: { code: -32601, message: "This client has no such method." } };

/** 404, says the specification; several servers say 400. */
function isSessionLost(error: unknown): boolean {
	const { status, message = "" }: Failure = Object(error);
	return status === 404 || (status === 400 && /session/i.test(message));
}
