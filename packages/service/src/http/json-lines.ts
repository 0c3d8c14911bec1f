import { onAbort } from "@stemma/protocol";
import { joinInFlightCounters } from "../workspaces/in-flight-counter";
import { watchSession } from "./auth/session-caller";
import type { ServiceContext } from "./service-context";

const encoder = new TextEncoder();

/**
 * Responds with JSON values, one a line. They are read as the client takes them; where reading fails, the connection
 * breaks off, so that no client takes the lines for all; so it does once the session of the caller has ended.
 *
 * @param batches - values that are sent together.
 */
export function respondWithJsonLines(
	context: ServiceContext,
	batches: AsyncIterable<readonly unknown[]>,
	headers: Readonly<Record<string, string>> = {},
): Response {
	const allHeaders = { "content-type": "application/jsonl; charset=utf-8", ...headers };
	// Nobody would read it, and so it would be in flight for ever.
	if (context.req.method === "HEAD") return context.body(null, 200, allHeaders);
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
	const iterator = batches[Symbol.asyncIterator]();
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
					if (!done) return controller.enqueue(toLines(value));
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
	return context.body(stream, 200, allHeaders);
}

const toLines = (values: readonly unknown[]): Uint8Array =>
	encoder.encode(values.map((value) => `${JSON.stringify(value)}\n`).join(""));
