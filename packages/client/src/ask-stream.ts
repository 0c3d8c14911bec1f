import type { RunError } from "@stemma/core";
import { isJsonObject } from "@stemma/core/internal";
import { type WithRequestId, withRequestId } from "./call-options";
import type { ServiceRequest, StemmaClient } from "./client";
import { type Deadline, LINGER_MS, startDeadline, startTimeout } from "./deadline";
import { createDeferred } from "./deferred";
import { StreamError } from "./errors";
import { createEventQueue, toIterator } from "./event-queue";
import { createNoEventError, readTypedEvents } from "./event-source";
import { mergeTimeouts } from "./options";
import { whenAborted } from "./platform";
import { readStreamError } from "./read-stream-error";
import type { Answer, AskEvent } from "./types/ask";

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
	let progress: Deadline | undefined;
	let lingering: Deadline | undefined;
	let isAwaited = false;
	let requestId = "";

	function stop(error: unknown): void {
		queue.end({ error });
		outcome.reject(error);
		controller.abort();
	}

	function close(): void {
		queue.close();
		stop(new StreamError("The stream was closed before the answer was whole.", { code: "stream_closed" }));
	}

	async function follow(): Promise<void> {
		if (controller.signal.aborted) return;
		progress = startTimeout(mergeTimeouts(client.timeouts, timeouts), "progressMs", stop);
		const options = { ...request.options, signal: controller.signal };
		const answer = await client.open({ ...request, accept: "text/event-stream", options });
		requestId = answer.requestId;
		if (answer.isJson) return end(await answer.json<Answer>());
		await readTypedEvents(answer, take);
		throw new StreamError("The answer ended before it was whole.", { ...CUT_OFF, requestId });
	}

	function take(event: AskEvent, length: number): Promise<void> | undefined {
		reportProgress(Date.now());
		if (queue.isFull) queue.end({ error: new StreamError("The events were not kept.", DROPPED) });
		queue.push(event, length);
		if (event.type === "ask.completed") end(event.answer);
		else if (event.type === "ask.failed") fail(event.error);
		return mustPause() ? pause() : undefined;
	}

	function reportProgress(since: number): void {
		if (progress !== undefined) progress.since = since;
	}

	const mustPause = (): boolean =>
		queue.isFull && !isAwaited && !controller.signal.aborted && lingering === undefined;

	async function pause(): Promise<void> {
		reportProgress(Number.POSITIVE_INFINITY);
		while (mustPause()) await queue.untilChange();
		reportProgress(Date.now());
	}

	function end(answer: Answer): void {
		if (!isJsonObject(answer)) throw createNoEventError(requestId);
		queue.end();
		outcome.resolve(withRequestId(answer, requestId));
		linger();
	}

	function fail(error: RunError): void {
		if (!isJsonObject(error)) throw createNoEventError(requestId);
		queue.end();
		outcome.reject(readStreamError(client, error, requestId));
		linger();
	}

	function linger(): void {
		lingering ??= startDeadline(LINGER_MS, () => controller.abort());
	}

	function answer(): Promise<WithRequestId<Answer>> {
		isAwaited = true;
		queue.wake();
		return outcome.promise;
	}

	const unlisten = whenAborted(signal, stop);
	void follow()
		.catch(stop)
		.finally(() => {
			progress?.stop();
			lingering?.stop();
			unlisten();
		});

	return {
		answer,
		text: async () => (await answer()).answer,
		close,
		[Symbol.asyncIterator]: () => toIterator(queue, close),
	};
}

const CUT_OFF = { code: "stream_cut_off", hint: "Ask again; an answer is not rejoined." };
const DROPPED = {
	code: "events_dropped",
	hint: "Read the events before or while the answer is awaited, or only the answer.",
};
