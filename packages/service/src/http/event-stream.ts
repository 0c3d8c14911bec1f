import {
	acceptsEvents,
	EVENT_STREAM_HEADERS,
	formatEvent,
	HEARTBEAT,
	HEARTBEAT_MS,
	type StreamEvent,
} from "@stemma/protocol";
import { joinInFlightCounters } from "../workspaces/in-flight-counter";
import { transferBody } from "./body/body-account";
import { ResponseBody } from "./response-body";
import type { ServiceContext } from "./service-context";

/**
 * Sends an event, or events as bytes of a stream. Resolves when there is room for more.
 *
 * @throws The reason of the signal when the client has gone away.
 */
export type SendEvent = (event: StreamEvent | Uint8Array) => Promise<void>;

const encoder = new TextEncoder();
const toBytes = (event: StreamEvent | Uint8Array): Uint8Array =>
	event instanceof Uint8Array ? event : encoder.encode(formatEvent(event));

/** True where a client asks for a stream: by `"stream": true`, else by `Accept`. */
export function wantsStream(
	context: ServiceContext,
	body?: { readonly stream?: boolean | undefined },
): boolean {
	if (body?.stream !== undefined) return body.stream;
	return acceptsEvents(context.req.header("accept"));
}

/**
 * Answers with an event stream that ends when `run` does.
 *
 * @param run - `signal` aborts when the client goes away, and when the service stops: then there is still time to send
 * a last event. What it throws breaks the connection off, so that no client takes the stream for a whole one.
 */
export function eventStream(
	context: ServiceContext,
	run: (send: SendEvent, signal: AbortSignal) => Promise<void>,
): Response {
	const { shutdownSignal, inFlight, logger } = context.get("kernel");
	const body = new ResponseBody(onDisconnect);
	const ended = new AbortController();
	const { inFlight: workspaceInFlight, requests } = context.get("workspace");
	const leave = joinInFlightCounters(inFlight, workspaceInFlight).enter();
	const leaveSlot = requests.enter(context.get("caller"));
	const release = context.get("span")?.keepOpen();
	const releaseBody = transferBody(context);
	let isDisconnected = false;
	let isEnded = false;
	const heartbeat = setTimeout(sendHeartbeat, HEARTBEAT_MS);

	async function write(bytes: Uint8Array): Promise<void> {
		if (isDisconnected) throw ended.signal.reason;
		await body.write(bytes);
		if (isDisconnected) throw ended.signal.reason;
		if (!isEnded) heartbeat.refresh();
	}
	function sendHeartbeat(): void {
		// A slow reader has something to read already. A failed write is the client gone, which `signal` tells.
		if (!body.isFull) write(encoder.encode(HEARTBEAT)).catch(() => undefined);
	}
	function onDisconnect(): void {
		isDisconnected = true;
		body.release();
		ended.abort(new DOMException("The client has disconnected.", "AbortError"));
	}
	const onShutdown = (): void => ended.abort(shutdownSignal.reason);
	const { signal } = context.req.raw;
	signal.addEventListener("abort", onDisconnect, { once: true });
	if (signal.aborted) onDisconnect();
	shutdownSignal.addEventListener("abort", onShutdown, { once: true });
	if (shutdownSignal.aborted) onShutdown();

	async function pump(): Promise<void> {
		try {
			await run((event) => write(toBytes(event)), ended.signal);
			body.close();
		} catch (error) {
			if (!isDisconnected)
				logger.error({ request_id: context.get("requestId"), err: error }, "stream failed");
			// Where nobody reads, there is nothing to break off, and the server would log it as an error.
			if (!isDisconnected) body.abort(new Error("The stream was interrupted."));
		} finally {
			isEnded = true;
			clearTimeout(heartbeat);
			shutdownSignal.removeEventListener("abort", onShutdown);
			leave();
			leaveSlot();
			releaseBody();
			release?.();
		}
	}
	void pump();
	return context.body(body.stream, 200, EVENT_STREAM_HEADERS);
}
