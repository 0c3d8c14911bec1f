import { onAbort } from "@stemma/protocol";
import { joinInFlightCounters } from "../workspaces/in-flight-counter";
import { watchSession } from "./auth/session-caller";
import type { ServiceContext } from "./service-context";

const encoder = new TextEncoder();

/**
 * Responds with text in pieces, which are read as the client takes them. Where reading fails, the connection breaks off, so
 * that no client takes the text for all of it; so it does once the session of the caller has ended.
 */
export function respondWithTextStream(
	context: ServiceContext,
	pieces: AsyncIterable<string>,
	headers: Readonly<Record<string, string>>,
): Response {
	// Nobody would read it, and so it would be in flight for ever.
	if (context.req.method === "HEAD") return context.body(null, 200, headers);
	const { inFlight, requests } = context.get("workspace");
	const closeSpan = context.get("span")?.keepOpen();
	const leaves = [
		joinInFlightCounters(context.get("kernel").inFlight, inFlight).enter(),
		requests.enter(context.get("caller")),
		...(closeSpan === undefined ? [] : [closeSpan]),
	];
	const leave = (): void => {
		for (const leaveCounter of leaves.splice(0)) leaveCounter();
	};
	const iterator = pieces[Symbol.asyncIterator]();
	const stream = new ReadableStream<Uint8Array>(
		{
			start(controller) {
				const onEnd = (): void => {
					leave();
					controller.error(new Error("The session has ended."));
				};
				leaves.push(watchSession(context, onEnd));
			},
			async pull(controller) {
				try {
					const { done, value } = await iterator.next();
					if (!done) return controller.enqueue(encoder.encode(value));
					controller.close();
				} catch (error) {
					controller.error(error);
				}
				leave();
			},
			cancel: leave,
		},
		{ highWaterMark: 0 },
	);
	// The client may leave before it begins to read.
	onAbort(context.req.raw.signal, leave);
	return context.body(stream, 200, headers);
}
