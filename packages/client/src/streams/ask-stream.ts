import type { RunError } from "@stemma/core";
import { isJsonObject } from "@stemma/core/internal";
import type { ServiceRequest, StemmaClient } from "../client";
import { StreamError } from "../errors/errors";
import { readStreamError } from "../errors/read-stream-error";
import { DRAIN_TIMEOUT_MS, type IdleTimer, startIdleTimer, startTimeout } from "../http/idle-timer";
import { whenAborted } from "../http/platform";
import { type WithRequestId, withRequestId } from "../options/call-options";
import { mergeTimeouts } from "../options/client-options";
import type { Answer, AskEvent } from "../types/ask";
import { createDeferred } from "./deferred";
import { createEventQueue, toIterator } from "./event-queue";
import { createInvalidEventError, readEvent, readJsonEvents } from "./event-source";

/**
 * An answer that is being written. Read its events once with `for await`; leaving the loop, `close` and an aborted signal
 * end it, and what it costs. The last event is `ask.completed` or `ask.failed`.
 *
 * About a megabyte of events waits to be read, and the service waits, too. If the answer itself is awaited meanwhile, it
 * goes on without keeping events: whoever reads them then fails with `events_dropped`.
 */
export interface AskStream extends AsyncIterable<AskEvent> {
	/** @throws StreamError with the service's code when answering failed, or when the connection broke. */
	answer(): Promise<WithRequestId<Answer>>;
	/** The text of the answer alone. Fails as `answer` does. */
	text(): Promise<string>;
	close(): void;
}

export function createAskStream(client: StemmaClient, request: ServiceRequest): AskStream {
	const { signal, timeouts } = request.options ?? {};
	const queue = createEventQueue<AskEvent>();
	const outcome = createDeferred<WithRequestId<Answer>>();
	const controller = new AbortController();
	let eventTimer: IdleTimer | undefined;
	let drainTimer: IdleTimer | undefined;
	let isAwaited = false;
	let requestId = "";

	function stop(error: unknown): void {
		queue.end({ error });
		outcome.reject(error);
		controller.abort();
	}

	function close(): void {
		queue.close();
		stop(new StreamError("The stream was closed before the answer was complete.", { code: "stream_closed" }));
	}

	async function readStream(): Promise<void> {
		if (controller.signal.aborted) return;
		eventTimer = startTimeout(mergeTimeouts(client.timeouts, timeouts), "eventTimeoutMs", stop);
		const options = { ...request.options, signal: controller.signal };
		const response = await client.open({ ...request, accept: "text/event-stream", options });
		requestId = response.requestId;
		if (response.isJson) return end(await response.json<Answer>());
		await readJsonEvents(response, (event, length) => handleEvent(readEvent(event, requestId), length));
		throw new StreamError("The answer ended before it was complete.", { ...CUT_OFF, requestId });
	}

	function handleEvent(event: AskEvent, length: number): Promise<void> | undefined {
		setLastEventAt(Date.now());
		if (queue.isFull)
			queue.end({
				error: new StreamError(
					"Events were dropped, because they were not read while the answer was awaited.",
					DROPPED,
				),
			});
		queue.push(event, length);
		if (event.type === "ask.completed") end(event.answer);
		else if (event.type === "ask.failed") fail(event.error);
		return mustPause() ? pause() : undefined;
	}

	function setLastEventAt(lastEventAt: number): void {
		if (eventTimer !== undefined) eventTimer.lastActivityAt = lastEventAt;
	}

	const mustPause = (): boolean =>
		queue.isFull && !isAwaited && !controller.signal.aborted && drainTimer === undefined;

	async function pause(): Promise<void> {
		setLastEventAt(Number.POSITIVE_INFINITY);
		while (mustPause()) await queue.waitForChange();
		setLastEventAt(Date.now());
	}

	function end(answer: Answer): void {
		if (!isJsonObject(answer)) throw createInvalidEventError(requestId);
		queue.end();
		outcome.resolve(withRequestId(answer, requestId));
		startDrainTimer();
	}

	function fail(error: RunError): void {
		if (!isJsonObject(error)) throw createInvalidEventError(requestId);
		queue.end();
		outcome.reject(readStreamError(client, error, requestId));
		startDrainTimer();
	}

	function startDrainTimer(): void {
		drainTimer ??= startIdleTimer(DRAIN_TIMEOUT_MS, () => controller.abort());
	}

	function answer(): Promise<WithRequestId<Answer>> {
		isAwaited = true;
		queue.wake();
		return outcome.promise;
	}

	const removeAbortListener = whenAborted(signal, stop);
	void readStream()
		.catch(stop)
		.finally(() => {
			eventTimer?.stop();
			drainTimer?.stop();
			removeAbortListener();
		});

	return {
		answer,
		text: async () => (await answer()).answer,
		close,
		[Symbol.asyncIterator]: () => toIterator(queue, close),
	};
}

const CUT_OFF = { code: "stream_cut_off", hint: "Ask again; the stream of an answer cannot be rejoined." };
const DROPPED = {
	code: "events_dropped",
	hint: "Read the events before or while you await the answer, or await only the answer.",
};
