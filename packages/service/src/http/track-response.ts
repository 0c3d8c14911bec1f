import type { InFlightCounter } from "../workspaces/in-flight-counter";

/**
 * A stream that counts as something under way until it was read to its end, or is read no more; other responses are
 * there already.
 *
 * @param clientSignal - aborts when the client has gone away: it may never have begun to read.
 */
export function trackResponse(
	response: Response,
	{ enter }: Pick<InFlightCounter, "enter">,
	clientSignal: AbortSignal,
): Response {
	const { body, status, headers } = response;
	if (body === null || headers.get("content-type") !== "text/event-stream") return response;
	const leave = enter();
	if (clientSignal.aborted) leave();
	else clientSignal.addEventListener("abort", leave, { once: true });
	const reader = body.getReader();
	const tracked = new ReadableStream<Uint8Array>(
		{
			async pull(controller) {
				try {
					const { done, value } = await reader.read();
					if (!done) return controller.enqueue(value);
					controller.close();
				} catch (error) {
					controller.error(error);
				}
				leave();
			},
			cancel(reason) {
				leave();
				return reader.cancel(reason);
			},
		},
		{ highWaterMark: 0 },
	);
	return new Response(tracked, { status, headers });
}
