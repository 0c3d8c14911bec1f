import type { JsonObject } from "@stemma/core";
import type { SseReader } from "@stemma/core/sse";
import type { createCallGuard } from "../call-guard";
import type { CallOptions } from "../call-options";
import type { OpenAnswer } from "../client";
import type { TimeoutError } from "../errors";
import type { Era, EraCall, readServer, withMeta } from "./era";
import type { exchange, McpEndpoint, openMessage } from "./exchange";
import { type Failure, initialize, notify, type Session } from "./legacy-handshake";
import type { McpError } from "./mcp-error";
import type { readOn } from "./read-on";
import type { RpcMessage } from "./wire";

/** What it needs of the rest. It imports nothing of that: it would be split off from what every page loads. */
export interface LegacyTools {
	readonly createCallGuard: typeof createCallGuard;
	readonly exchange: typeof exchange;
	readonly McpError: typeof McpError;
	readonly openMessage: typeof openMessage;
	readonly readOn: typeof readOn;
	readonly readServer: typeof readServer;
	readonly TimeoutError: typeof TimeoutError;
	readonly withMeta: typeof withMeta;
}

/** How often a stream that ended too early is opened again. */
const MOST_RESUMES = 5;
/** Where the server does not say, and at the most. */
const RESUME_MS = 1000;
const LONGEST_RESUME_MS = 60_000;
/** To requests of the server, while it is asked for something: each is a request of its own. */
const MOST_REPLIES = 100;

/** Up to 2025-11-25: a session that begins with `initialize`. @throws what the handshake throws. */
export async function openLegacyEra(endpoint: McpEndpoint, tools: LegacyTools): Promise<Era> {
	let opening: Promise<Session> | undefined;

	/** All who need a session wait for the same handshake. A failure is not kept. */
	function open(): Promise<Session> {
		if (opening !== undefined) return opening;
		const begun = initialize(endpoint, tools);
		opening = begun;
		begun.catch(() => forget(begun));
		return begun;
	}

	function forget(session: Promise<Session>): void {
		if (opening === session) opening = undefined;
	}

	const tell = (headers: Session["headers"], message: object): void =>
		void notify(endpoint, tools, headers, message).catch(() => undefined);

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
			const { result } = await tools.exchange(endpoint, {
				id,
				method,
				params: call.wantsProgress ? tools.withMeta(params, { progressToken: id }) : params,
				headers,
				options: call.options,
				onSend: () => {
					isSent = true;
				},
				onMessage(message) {
					if (message.id === undefined) call.onMessage(message, id);
					else if (++replies <= MOST_REPLIES) tell(headers, toReply(message));
				},
				resume: (place, attempt) => resume(headers, place, attempt, call.options),
			});
			return result;
		} catch (error) {
			// Losing the connection cancels nothing in this era.
			if (isSent && isLeft(error, call.options))
				tell(headers, { method: "notifications/cancelled", params: { requestId: id } });
			throw error;
		}
	}

	/** Whether it was this side that did not wait for the response. */
	const isLeft = (error: unknown, { signal }: CallOptions): boolean =>
		signal?.aborted === true ||
		tools.TimeoutError.is(error) ||
		(tools.McpError.is(error) && error.code === "result_too_large");

	async function resume(
		headers: Session["headers"],
		{ lastEventId, retryMs = RESUME_MS }: Pick<SseReader, "lastEventId" | "retryMs">,
		attempt: number,
		options: CallOptions,
	): Promise<OpenAnswer | undefined> {
		// Other characters cannot go out.
		if (attempt > MOST_RESUMES || !/^[ -~]+$/.test(lastEventId)) return undefined;
		const guard = tools.createCallGuard({}, options.signal);
		await guard.sleep(Math.min(retryMs, LONGEST_RESUME_MS)).finally(() => guard.end());
		return tools.openMessage(endpoint, {
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
			const answer = await client
				.open({ method: "DELETE", path, headers: session.headers, takes: () => true, retry: "never" })
				.catch(() => undefined);
			if (answer) await tools.readOn(answer);
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
