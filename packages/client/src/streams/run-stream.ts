import type { RunResult } from "@stemma/core";
import { RunFailedError } from "@stemma/core/errors";
import { isJsonObject } from "@stemma/core/internal";
import { DRAIN_TIMEOUT_MS, type IdleTimer, startIdleTimer, startTimeout } from "../http/idle-timer";
import { whenAborted } from "../http/platform";
import { type Timeouts, type WithRequestId, withRequestId } from "../options/call-options";
import type { WireRunEvent } from "../types/run";
import { createDeferred } from "./deferred";
import { createEventQueue, toIterator } from "./event-queue";
import { createInvalidEventError } from "./event-source";
import { followRun } from "./follow-run";
import { type FollowedRun, toRunRequest } from "./run-source";

/**
 * A run under way in a service or a runtime. Read its events once with `for await`: the connection may drop meanwhile, and
 * is taken up again without loss or repeats. Leaving the loop detaches, and the run goes on. The last event is
 * `run.completed`, `run.failed`, `run.cancelled` or `run.paused`.
 *
 * About a megabyte of events waits to be read. Beyond it, the run is read on when there is room again; or without keeping
 * events, if its result is awaited: those are read a second time when their turn comes.
 */
export interface AgentRunStream extends AsyncIterable<WireRunEvent> {
	/** `run_…`, once it is known: from the first event on. */
	readonly run_id: string | undefined;
	/**
	 * Token with which a client key reads, rejoins and cancels the run; known when `run_id` is. Keep it like a secret.
	 */
	readonly run_token: string | undefined;
	/** `x-request-id` of the answer that began the run; empty before it. */
	readonly requestId: string;
	/**
	 * The end of the run: completed, paused and cancelled resolve, with `status`. After `close` it connects again.
	 *
	 * @throws RunFailedError for a failed run, with the result; ApiError when it was not started; StreamError when it
	 * cannot be read any more; TimeoutError; the signal's reason after an abort.
	 */
	result(): Promise<WithRequestId<RunResult>>;
	/** The answer as text, without events; JSON output as compact text. Fails as `result` does. */
	text(): Promise<string>;
	/** Stops the run; reading goes on to `run.cancelled`. */
	cancel(): void;
	/** Stops reading; the run goes on. */
	close(): void;
}

/** Time in milliseconds that an aborted run has to report its id, which is needed to stop it. */
const CANCEL_GRACE_MS = 10_000;

/**
 * Follows a run at once, whether anyone reads or not. A class, as it takes less memory than closures do; what is private
 * is not printed: whoever has the token can stop the run.
 */
export class RunStream implements AgentRunStream {
	readonly #run: FollowedRun;
	readonly #signal: AbortSignal | undefined;
	readonly #timeouts: Timeouts;
	readonly #outcome = createDeferred<WithRequestId<RunResult>>();
	readonly #queue = createEventQueue<WireRunEvent>(() => this.#fillGap());
	#isSettled = false;
	#isAwaited = false;
	/** True while the reader expects events: it has not stopped reading, and the last event is not in the queue. */
	#hasReader = true;
	#lastQueuedSeq: number;
	/** True if events after `#lastQueuedSeq` were dropped. */
	#hasGap = false;
	#cancelState: "pending" | "requested" | "done" | undefined;
	/**
	 * Result of a run that has paused, until a later event shows that the run goes on; such an event follows in the log
	 * at once.
	 */
	#paused: RunResult | undefined;
	#connection: AbortController | undefined;
	#eventTimer: IdleTimer | undefined;
	#totalTimer: IdleTimer | undefined;
	/** Waits for the end of a body whose last event has come. */
	#drainTimer: IdleTimer | undefined;
	#removeAbortListener: (() => void) | undefined;

	/** The caller wants nothing of the run any more: it is stopped, and nobody is kept waiting for that. */
	readonly #abandon = (reason: unknown): void => {
		this.#requestCancel();
		this.#rejectResult(reason);
		this.#disconnect();
		if (this.#needsConnection) this.#totalTimer = startIdleTimer(CANCEL_GRACE_MS, () => this.#fail(reason));
	};

	constructor(run: FollowedRun, signal: AbortSignal | undefined, timeouts: Timeouts) {
		this.#run = run;
		this.#signal = signal;
		this.#timeouts = timeouts;
		this.#lastQueuedSeq = run.seq;
		// Nothing is there to be stopped by an abort that came before.
		if (signal?.aborted) this.#cancelState = "done";
		this.#arm();
		// What cannot be extended is not wrapped by frameworks that observe objects; a wrapper has no private fields.
		Object.preventExtensions(this);
		this.#connect();
	}

	get run_id(): string | undefined {
		return this.#run.run_id;
	}

	get run_token(): string | undefined {
		return this.#run.run_token;
	}

	get requestId(): string {
		return this.#run.requestId;
	}

	// These may be handed on alone, as handlers of buttons are.
	readonly result = (): Promise<WithRequestId<RunResult>> => {
		this.#isAwaited = true;
		if (!this.#isSettled && this.#removeAbortListener === undefined) this.#arm();
		this.#queue.wake();
		this.#connect();
		return this.#outcome.promise;
	};

	readonly cancel = (): void => {
		if (this.#isSettled) return;
		this.#requestCancel();
		this.#connect();
	};

	readonly close = (): void => {
		this.#hasReader = false;
		this.#queue.close();
		this.#disconnect();
		this.#disarm();
	};

	async text(): Promise<string> {
		const { output } = await this.result();
		return typeof output === "string" ? output : JSON.stringify(output);
	}

	[Symbol.asyncIterator](): AsyncIterator<WireRunEvent, undefined> {
		return toIterator(this.#queue, this.close);
	}

	/**
	 * True where the events or the result are still wanted, or the run's id to cancel it. Before a run has begun, its
	 * connection stays open.
	 */
	get #needsConnection(): boolean {
		return (
			(this.#cancelState === "pending" && this.#run.mayHaveStarted) ||
			(this.#hasReader && !this.#hasGap) ||
			(!this.#isSettled && (this.#isAwaited || this.#run.run_id === undefined))
		);
	}

	#arm(): void {
		this.#totalTimer = startTimeout(this.#timeouts, "timeoutMs", this.#abandon);
		this.#removeAbortListener = whenAborted(this.#signal, this.#abandon);
	}

	/**
	 * Removes the abort listener and stops the total timer where there is nothing left to end: a run that was left goes
	 * on, whether the signal aborts or the time runs out.
	 */
	#disarm(): void {
		if (this.#isSettled ? this.#hasReader && this.#hasGap : (this.#connection ?? this.#needsConnection))
			return;
		this.#removeAbortListener?.();
		this.#removeAbortListener = undefined;
		if (!this.#isSettled) this.#totalTimer?.stop();
	}

	#connect(): void {
		if (this.#connection !== undefined || !this.#needsConnection) return;
		// A service that is asked for what comes behind a pause waits for it.
		if (this.#paused === undefined) this.#follow(new AbortController());
		else this.#finish(this.#paused);
	}

	#disconnect(): void {
		if (!this.#needsConnection) this.#connection?.abort();
	}

	#follow(controller: AbortController): void {
		this.#connection = controller;
		this.#eventTimer = startTimeout(this.#timeouts, "eventTimeoutMs", this.#abandon);
		followRun(
			this.#run,
			controller.signal,
			(event, length) => this.#handleEvent(event, length),
			(disconnectError) => this.#endConnection(disconnectError),
		)
			.catch((error: unknown) =>
				// What is known of a run that waits for a person stands, wherever its connection is.
				this.#paused === undefined ? this.#fail(error) : this.#finish(this.#paused),
			)
			.then(() => this.#endFollowing());
	}

	#endFollowing(): void {
		this.#eventTimer?.stop();
		this.#drainTimer?.stop();
		this.#connection = undefined;
		if (this.#isSettled) this.#totalTimer?.stop();
		this.#connect();
		this.#disarm();
	}

	#handleEvent(event: WireRunEvent, length: number): Promise<void> | undefined {
		this.#setLastEventAt(Date.now());
		if (this.#hasReader) this.#enqueue(event, length);
		if (event.seq === this.#run.seq) this.#paused = undefined;
		const isLast = isLastEvent(event);
		if (isLast) this.#handleLastEvent(event);
		this.#sendCancel();
		if (!isLast) this.#disconnect();
		return this.#mustPause ? this.#pause() : undefined;
	}

	/** The service ends the body now. One that is read to its end leaves a connection that serves again. */
	#handleLastEvent({ type, result }: LastEvent): void {
		if (!isJsonObject(result)) throw createInvalidEventError(this.#run.requestId);
		if (type === "run.paused") this.#paused = result;
		else this.#finish(result);
		this.#drainTimer?.stop();
		this.#drainTimer = startIdleTimer(DRAIN_TIMEOUT_MS, () => this.#endConnection());
	}

	#endConnection(disconnectError?: unknown): void {
		if (this.#paused !== undefined && disconnectError === undefined) this.#finish(this.#paused);
		this.#disconnect();
	}

	#setLastEventAt(lastEventAt: number): void {
		if (this.#eventTimer !== undefined) this.#eventTimer.lastActivityAt = lastEventAt;
	}

	#enqueue(event: WireRunEvent, length: number): void {
		this.#hasGap ||= this.#queue.isFull;
		if (this.#hasGap) return;
		this.#queue.push(event, length);
		this.#lastQueuedSeq = this.#run.seq;
	}

	/** The reader has come to where events were not kept: they are read again. */
	#fillGap(): void {
		if (!this.#hasGap) return;
		this.#hasGap = false;
		this.#run.seq = this.#lastQueuedSeq;
		this.#run.missingSeqs = undefined;
		this.#connection?.abort();
		this.#connect();
	}

	get #mustPause(): boolean {
		return this.#hasReader && this.#queue.isFull && (this.#isSettled || !this.#isAwaited);
	}

	async #pause(): Promise<void> {
		this.#setLastEventAt(Number.POSITIVE_INFINITY);
		while (this.#mustPause) await this.#queue.waitForChange();
		this.#setLastEventAt(Date.now());
	}

	#finish(result: RunResult): void {
		const { client, run_token, requestId } = this.#run;
		this.#cancelState = "done";
		if (!this.#hasGap) this.#endReading();
		if (this.#isSettled) return;
		this.#settle();
		if (result.status !== "failed") return this.#outcome.resolve(withRequestId<RunResult>(result, requestId));
		const redacted = client.redact(result, run_token);
		this.#outcome.reject(new RunFailedError(withRequestId<RunResult>(redacted, requestId)));
	}

	#fail(error: unknown): void {
		this.#cancelState = "done";
		this.#rejectResult(error);
		this.#disconnect();
	}

	#rejectResult(error: unknown): void {
		this.#endReading({ error });
		this.#settle();
		this.#outcome.reject(error);
	}

	#settle(): void {
		this.#isSettled = true;
		this.#totalTimer?.stop();
		this.#disarm();
	}

	#endReading(failure?: { readonly error: unknown }): void {
		this.#hasReader = false;
		this.#queue.end(failure);
		this.#disarm();
	}

	#requestCancel(): void {
		this.#cancelState ??= "pending";
		this.#sendCancel();
	}

	#sendCancel(): void {
		const { run_id, client } = this.#run;
		if (this.#cancelState !== "pending" || run_id === undefined) return;
		this.#cancelState = "requested";
		client.request(toRunRequest(this.#run, "POST", "cancel")).catch((error: unknown) => {
			// It may be asked for again.
			if (this.#cancelState === "requested") this.#cancelState = undefined;
			client.logger?.warn(`The run ${run_id} could not be cancelled: ${error}`);
		});
	}
}

type LastEvent = Extract<
	WireRunEvent,
	{ readonly type: "run.completed" | "run.failed" | "run.cancelled" | "run.paused" }
>;

/** `run.paused` ends this part of a run: it waits for a person. */
const isLastEvent = (event: WireRunEvent): event is LastEvent =>
	/^run\.(completed|failed|cancelled|paused)$/.test(event.type);
