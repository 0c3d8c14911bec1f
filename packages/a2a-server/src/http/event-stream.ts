const HEADERS = {
	"content-type": "text/event-stream",
	"cache-control": "no-cache, no-transform",
	"x-accel-buffering": "no",
};

const HEARTBEAT = ": still here\n\n";

/** Options of a stream of server-sent events with a heartbeat. */
export interface EventStreamOptions {
	/** Silence in milliseconds after which a comment is sent, so that no proxy treats the connection as dead. */
	readonly heartbeatMs: number;
	/** Called once, when the reader has left before the end. */
	readonly onDisconnect: () => void;
	/** Converts the error with which the values end early to the last value of the stream. */
	readonly toError: (error: unknown) => unknown;
}

/** JSON values as `text/event-stream` (HTML standard, section 9.2), read only as fast as the stream is. */
export function toEventStream(values: AsyncIterable<unknown>, options: EventStreamOptions): Response {
	const { heartbeatMs, onDisconnect, toError } = options;
	const encoder = new TextEncoder();
	const iterator = values[Symbol.asyncIterator]();
	let pending: Promise<IteratorResult<unknown>> | undefined;
	let hasDisconnected = false;
	const body = new ReadableStream<Uint8Array>(
		{
			async pull(controller) {
				try {
					pending ??= iterator.next();
					const next = await withTimeout(heartbeatMs, pending);
					if (hasDisconnected) return;
					if (next === undefined) return controller.enqueue(encoder.encode(HEARTBEAT));
					pending = undefined;
					if (next.done === true) return controller.close();
					controller.enqueue(encoder.encode(`data: ${JSON.stringify(next.value)}\n\n`));
				} catch (error) {
					if (hasDisconnected) return;
					controller.enqueue(encoder.encode(`event: error\ndata: ${JSON.stringify(toError(error))}\n\n`));
					controller.close();
				}
			},
			cancel() {
				hasDisconnected = true;
				onDisconnect();
				// It may wait for something that never comes; leaving does not.
				pending?.catch(() => undefined);
				iterator.return?.()?.catch(() => undefined);
			},
		},
		{ highWaterMark: 0 },
	);
	return new Response(body, { headers: HEADERS });
}

/** Waits for a promise; undefined if that takes longer than the time limit. */
async function withTimeout<Value>(milliseconds: number, promise: Promise<Value>): Promise<Value | undefined> {
	let timer: ReturnType<typeof setTimeout> | undefined;
	const timedOut = new Promise<undefined>((resolve) => {
		timer = setTimeout(() => resolve(undefined), milliseconds);
	});
	try {
		return await Promise.race([promise, timedOut]);
	} finally {
		clearTimeout(timer);
	}
}
