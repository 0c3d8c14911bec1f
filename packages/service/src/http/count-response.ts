import type { Activity } from "./activity";

/**
 * A stream that counts as something under way until it was read to its end, or is read no more; other responses are
 * there already.
 *
 * @param left - aborts when the client has gone away: it may never have begun to read.
 */
export function countResponse(
	response: Response,
	{ enter }: Pick<Activity, "enter">,
	left: AbortSignal,
): Response {
	const { body, status, headers } = response;
	if (body === null || headers.get("content-type") !== "text/event-stream") return response;
	const leave = enter();
	if (left.aborted) leave();
	else left.addEventListener("abort", leave, { once: true });
	const reader = body.getReader();
	const counted = new ReadableStream<Uint8Array>(
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
	return new Response(counted, { status, headers });
}
