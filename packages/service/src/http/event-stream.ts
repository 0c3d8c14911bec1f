import {
	acceptsEvents,
	EVENT_STREAM_HEADERS,
	formatEvent,
	onAbort,
	type StreamEvent,
	WebEventSink,
} from "@stemma/protocol";
import { joinInFlightCounters } from "../workspaces/in-flight-counter";
import { watchSession } from "./auth/session-caller";
import { transferBody } from "./body/body-account";
import type { ServiceContext } from "./service-context";

/**
 * Sends an event, or events as bytes of a stream. Resolves when there is room for more.
 *
 * @throws The reason of the signal when the client has gone away.
 */
export type SendEvent = (event: StreamEvent | Uint8Array) => Promise<void>;

/** True where a client asks for a stream: by `"stream": true`, else by `Accept`. */
export function wantsStream(
	context: ServiceContext,
	body?: { readonly stream?: boolean | undefined },
): boolean {
	if (body?.stream !== undefined) return body.stream;
	return acceptsEvents(context.req.header("accept"));
}

/** Asks clients of a service that stops to wait for a second before they rejoin: on another instance, or once it has started again. */
const REJOIN = "retry: 1000\n: The service is stopping. Rejoin the stream.\n\n";

/**
 * Answers with an event stream that ends when `run` does.
 *
 * @param run - `signal` aborts when the client goes away, and when the service stops: then there is still time to send
 * a last event, behind a comment that asks to rejoin. What it throws breaks the connection off, so that no client takes the stream for a whole one.
 * @param headers - headers of another protocol.
 */
export function eventStream(
	context: ServiceContext,
	run: (send: SendEvent, signal: AbortSignal) => Promise<void>,
	headers: Readonly<Record<string, string>> = EVENT_STREAM_HEADERS,
): Response {
	const { shutdownSignal, logger } = context.get("kernel");
	const sink = new WebEventSink();
	const ended = new AbortController();
	const release = keepInFlight(context);
	let isDisconnected = false;
	let drained: PromiseWithResolvers<void> | undefined;

	async function send(event: StreamEvent | Uint8Array): Promise<void> {
		if (isDisconnected) throw ended.signal.reason;
		sink.send(event instanceof Uint8Array ? event : formatEvent(event));
		if (sink.isFull) {
			drained ??= Promise.withResolvers();
			await drained.promise;
		}
		if (isDisconnected) throw ended.signal.reason;
	}
	function onDrain(): void {
		drained?.resolve();
		drained = undefined;
	}
	function onDisconnect(): void {
		isDisconnected = true;
		onDrain();
		ended.abort(new DOMException("The client has disconnected.", "AbortError"));
	}
	sink.start({ onDrain, onDisconnect });
	onAbort(context.req.raw.signal, onDisconnect);
	const ignoreSession = watchSession(context, () => {
		onDisconnect();
		sink.abort(new Error("The session has ended."));
	});
	const ignoreShutdown = onAbort(shutdownSignal, () => {
		sink.send(REJOIN);
		ended.abort(shutdownSignal.reason);
	});

	async function pump(): Promise<void> {
		try {
			await run(send, ended.signal);
			sink.end();
		} catch (error) {
			// Where nobody reads, there is nothing to break off, and the server would log it as an error.
			if (isDisconnected) return sink.end();
			logger.error({ request_id: context.get("requestId"), err: error }, "stream failed");
			sink.abort(new Error("The stream was interrupted."));
		} finally {
			ignoreShutdown();
			ignoreSession();
			release();
		}
	}
	void pump();
	return context.body(sink.stream, 200, headers);
}

/** Keeps a request in flight, with its slot, its body and its span, until the returned function is called. */
function keepInFlight(context: ServiceContext): () => void {
	const { inFlight, requests } = context.get("workspace");
	const leave = joinInFlightCounters(context.get("kernel").inFlight, inFlight).enter();
	const leaveSlot = requests.enter(context.get("caller"));
	const endStream = context.get("kernel").telemetry.metrics.openStream();
	const endSpan = context.get("span")?.keepOpen();
	const releaseBody = transferBody(context);
	return () => {
		leave();
		leaveSlot();
		endStream();
		releaseBody();
		endSpan?.();
	};
}
