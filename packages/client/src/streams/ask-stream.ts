import type { RunError } from "@stemma/core";
import { isJsonObject } from "@stemma/core/internal";
import type { ServiceRequest, StemmaClient } from "../client";
import { StreamError } from "../errors/errors";
import { readStreamError } from "../errors/read-stream-error";
import { DRAIN_TIMEOUT_MS, IdleTimer, startTimeout } from "../http/idle-timer";
import { whenAborted } from "../http/platform";
import { type WithRequestId, withRequestId } from "../options/call-options";
import { mergeTimeouts } from "../options/client-options";
import type { Answer, AskEvent } from "../types/ask";
import { createDeferred } from "./deferred";
import { EventQueue } from "./event-queue";
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

/** Asks at once, and reads the answer whether anyone waits for it or not. */
export class ServiceAskStream implements AskStream {
	readonly #client: StemmaClient;
	readonly #request: ServiceRequest;
	readonly #queue = new EventQueue<AskEvent>();
	readonly #outcome = createDeferred<WithRequestId<Answer>>();
	readonly #controller = new AbortController();
	#eventTimer: IdleTimer | undefined;
	#drainTimer: IdleTimer | undefined;
	#isAwaited = false;
	#requestId = "";

	constructor(client: StemmaClient, request: ServiceRequest) {
		this.#client = client;
		this.#request = request;
		const removeAbortListener = whenAborted(request.options?.signal, this.#stop);
		void this.#read()
			.catch(this.#stop)
			.finally(() => {
				this.#eventTimer?.stop();
				this.#drainTimer?.stop();
				removeAbortListener();
			});
	}

	// These may be handed on alone.
	readonly answer = (): Promise<WithRequestId<Answer>> => {
		this.#isAwaited = true;
		this.#queue.wake();
		return this.#outcome.promise;
	};

	readonly text = async (): Promise<string> => (await this.answer()).answer;

	readonly close = (): void => {
		this.#queue.close();
		this.#stop(
			new StreamError("The stream was closed before the answer was complete.", { code: "stream_closed" }),
		);
	};

	[Symbol.asyncIterator](): AsyncIterator<AskEvent, undefined> {
		return this.#queue.toIterator(this.close);
	}

	readonly #stop = (error: unknown): void => {
		this.#queue.end({ error });
		this.#outcome.reject(error);
		this.#controller.abort();
	};

	async #read(): Promise<void> {
		const { signal } = this.#controller;
		if (signal.aborted) return;
		const request = { ...this.#request, options: { ...this.#request.options, signal } };
		const timeouts = mergeTimeouts(this.#client.timeouts, request.options.timeouts);
		this.#eventTimer = startTimeout(timeouts, "eventTimeoutMs", this.#stop);
		const response = await this.#client.open({ ...request, accept: "text/event-stream" });
		const { requestId } = response;
		this.#requestId = requestId;
		if (response.isJson) return this.#end(await response.json<Answer>());
		await readJsonEvents(response, (event, length) => this.#onEvent(readEvent(event, requestId), length));
		throw new StreamError("The answer ended before it was complete.", { ...CUT_OFF, requestId });
	}

	#onEvent(event: AskEvent, length: number): Promise<void> | undefined {
		this.#setLastEventAt(Date.now());
		if (this.#queue.isFull)
			this.#queue.end({
				error: new StreamError(
					"Events were dropped, because they were not read while the answer was awaited.",
					DROPPED,
				),
			});
		this.#queue.push(event, length);
		if (event.type === "ask.completed") this.#end(event.answer);
		else if (event.type === "ask.failed") this.#fail(event.error);
		return this.#mustPause ? this.#pause() : undefined;
	}

	#setLastEventAt(lastEventAt: number): void {
		if (this.#eventTimer !== undefined) this.#eventTimer.lastActivityAt = lastEventAt;
	}

	get #mustPause(): boolean {
		const hasEnded = this.#controller.signal.aborted || this.#drainTimer !== undefined;
		return this.#queue.isFull && !this.#isAwaited && !hasEnded;
	}

	async #pause(): Promise<void> {
		this.#setLastEventAt(Number.POSITIVE_INFINITY);
		while (this.#mustPause) await this.#queue.waitForChange();
		this.#setLastEventAt(Date.now());
	}

	#end(answer: Answer): void {
		if (!isJsonObject(answer)) throw createInvalidEventError(this.#requestId);
		this.#queue.end();
		this.#outcome.resolve(withRequestId(answer, this.#requestId));
		this.#startDrainTimer();
	}

	#fail(error: RunError): void {
		if (!isJsonObject(error)) throw createInvalidEventError(this.#requestId);
		this.#queue.end();
		this.#outcome.reject(readStreamError(this.#client, error, this.#requestId));
		this.#startDrainTimer();
	}

	#startDrainTimer(): void {
		this.#drainTimer ??= new IdleTimer(DRAIN_TIMEOUT_MS, () => this.#controller.abort());
	}
}

const CUT_OFF = { code: "stream_cut_off", hint: "Ask again; the stream of an answer cannot be rejoined." };
const DROPPED = {
	code: "events_dropped",
	hint: "Read the events before or while you await the answer, or await only the answer.",
};
