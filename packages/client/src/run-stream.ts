import type { RunResult } from "@stemma/core";
import { RunFailedError } from "@stemma/core/errors";
import { isJsonObject } from "@stemma/core/internal";
import { type Timeouts, type WithRequestId, withRequestId } from "./call-options";
import { type Deadline, LINGER_MS, startDeadline, startTimeout } from "./deadline";
import { createDeferred } from "./deferred";
import { createEventQueue, toIterator } from "./event-queue";
import { createNoEventError } from "./event-source";
import { followRun } from "./follow-run";
import { whenAborted } from "./platform";
import { type FollowedRun, toRunRequest } from "./run-source";
import type { WireRunEvent } from "./types/run";

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
	/** What a client key reads, rejoins and cancels the run with; known as `run_id` is. Keep it as you keep a secret. */
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

/** How long an aborted run may take to tell its id, by which it is stopped. */
const STOP_GRACE_MS = 10_000;

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
	/** The reader still wants events: it has not left, and the last one is not in the queue. */
	#isRead = true;
	#keptSeq: number;
	/** Events after `#keptSeq` were not kept. */
	#hasGap = false;
	#stopping: "wanted" | "asked" | "done" | undefined;
	/** Of a run that has paused, unless it goes on: what came next in its log comes at once. */
	#paused: RunResult | undefined;
	#connection: AbortController | undefined;
	#progress: Deadline | undefined;
	#total: Deadline | undefined;
	/** Waits for the end of a body whose last event has come. */
	#lingering: Deadline | undefined;
	#unlisten: (() => void) | undefined;

	/** The caller wants nothing of the run any more: it is stopped, and nobody is kept waiting for that. */
	readonly #abandon = (reason: unknown): void => {
		this.#stopRun();
		this.#failWith(reason);
		this.#disconnect();
		if (this.#isWanted) this.#total = startDeadline(STOP_GRACE_MS, () => this.#fail(reason));
	};

	constructor(run: FollowedRun, signal: AbortSignal | undefined, timeouts: Timeouts) {
		this.#run = run;
		this.#signal = signal;
		this.#timeouts = timeouts;
		this.#keptSeq = run.seq;
		// Nothing is there to be stopped by an abort that came before.
		if (signal?.aborted) this.#stopping = "done";
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
		if (!this.#isSettled && this.#unlisten === undefined) this.#arm();
		this.#queue.wake();
		this.#connect();
		return this.#outcome.promise;
	};

	readonly cancel = (): void => {
		if (this.#isSettled) return;
		this.#stopRun();
		this.#connect();
	};

	readonly close = (): void => {
		this.#isRead = false;
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

	/** Somebody wants the events, the result, or the run's id to stop it by. Before a run has begun, it is not left. */
	get #isWanted(): boolean {
		return (
			(this.#stopping === "wanted" && this.#run.mayHaveBegun) ||
			(this.#isRead && !this.#hasGap) ||
			(!this.#isSettled && (this.#isAwaited || this.#run.run_id === undefined))
		);
	}

	#arm(): void {
		this.#total = startTimeout(this.#timeouts, "totalMs", this.#abandon);
		this.#unlisten = whenAborted(this.#signal, this.#abandon);
	}

	/** Where there is nothing left to end: a run that was left goes on, whatever becomes of the signal and the time. */
	#disarm(): void {
		if (this.#isSettled ? this.#isRead && this.#hasGap : (this.#connection ?? this.#isWanted)) return;
		this.#unlisten?.();
		this.#unlisten = undefined;
		if (!this.#isSettled) this.#total?.stop();
	}

	#connect(): void {
		if (this.#connection !== undefined || !this.#isWanted) return;
		// A service that is asked for what comes behind a pause waits for it.
		if (this.#paused === undefined) this.#follow(new AbortController());
		else this.#finish(this.#paused);
	}

	#disconnect(): void {
		if (!this.#isWanted) this.#connection?.abort();
	}

	#follow(controller: AbortController): void {
		this.#connection = controller;
		this.#progress = startTimeout(this.#timeouts, "progressMs", this.#abandon);
		followRun(
			this.#run,
			controller.signal,
			(event, length) => this.#take(event, length),
			(drop) => this.#endConnection(drop),
		)
			.catch((error: unknown) =>
				// What is known of a run that waits for a person stands, wherever its connection is.
				this.#paused === undefined ? this.#fail(error) : this.#finish(this.#paused),
			)
			.then(() => this.#endFollowing());
	}

	#endFollowing(): void {
		this.#progress?.stop();
		this.#lingering?.stop();
		this.#connection = undefined;
		if (this.#isSettled) this.#total?.stop();
		this.#connect();
		this.#disarm();
	}

	#take(event: WireRunEvent, length: number): Promise<void> | undefined {
		this.#setProgress(Date.now());
		if (this.#isRead) this.#keep(event, length);
		if (event.seq === this.#run.seq) this.#paused = undefined;
		const isLast = isLastEvent(event);
		if (isLast) this.#comeToEnd(event);
		this.#stopIfKnown();
		if (!isLast) this.#disconnect();
		return this.#mustPause ? this.#pause() : undefined;
	}

	/** The service ends the body now. One that is read to its end leaves a connection that serves again. */
	#comeToEnd({ type, result }: LastEvent): void {
		if (!isJsonObject(result)) throw createNoEventError(this.#run.requestId);
		if (type === "run.paused") this.#paused = result;
		else this.#finish(result);
		this.#lingering?.stop();
		this.#lingering = startDeadline(LINGER_MS, () => this.#endConnection());
	}

	#endConnection(drop?: unknown): void {
		if (this.#paused !== undefined && drop === undefined) this.#finish(this.#paused);
		this.#disconnect();
	}

	#setProgress(since: number): void {
		if (this.#progress !== undefined) this.#progress.since = since;
	}

	#keep(event: WireRunEvent, length: number): void {
		this.#hasGap ||= this.#queue.isFull;
		if (this.#hasGap) return;
		this.#queue.push(event, length);
		this.#keptSeq = this.#run.seq;
	}

	/** The reader has come to where events were not kept: they are read again. */
	#fillGap(): void {
		if (!this.#hasGap) return;
		this.#hasGap = false;
		this.#run.seq = this.#keptSeq;
		this.#run.missed = undefined;
		this.#connection?.abort();
		this.#connect();
	}

	get #mustPause(): boolean {
		return this.#isRead && this.#queue.isFull && (this.#isSettled || !this.#isAwaited);
	}

	async #pause(): Promise<void> {
		this.#setProgress(Number.POSITIVE_INFINITY);
		while (this.#mustPause) await this.#queue.untilChange();
		this.#setProgress(Date.now());
	}

	#finish(result: RunResult): void {
		const { client, run_token, requestId } = this.#run;
		this.#stopping = "done";
		if (!this.#hasGap) this.#endReading();
		if (this.#isSettled) return;
		this.#settle();
		if (result.status !== "failed") return this.#outcome.resolve(withRequestId<RunResult>(result, requestId));
		const told = client.redact(result, run_token);
		this.#outcome.reject(new RunFailedError(withRequestId<RunResult>(told, requestId)));
	}

	#fail(error: unknown): void {
		this.#stopping = "done";
		this.#failWith(error);
		this.#disconnect();
	}

	#failWith(error: unknown): void {
		this.#endReading({ error });
		this.#settle();
		this.#outcome.reject(error);
	}

	#settle(): void {
		this.#isSettled = true;
		this.#total?.stop();
		this.#disarm();
	}

	#endReading(failure?: { readonly error: unknown }): void {
		this.#isRead = false;
		this.#queue.end(failure);
		this.#disarm();
	}

	#stopRun(): void {
		this.#stopping ??= "wanted";
		this.#stopIfKnown();
	}

	#stopIfKnown(): void {
		const { run_id, client } = this.#run;
		if (this.#stopping !== "wanted" || run_id === undefined) return;
		this.#stopping = "asked";
		client.request(toRunRequest(this.#run, "POST", "cancel")).catch((error: unknown) => {
			// It may be asked for again.
			if (this.#stopping === "asked") this.#stopping = undefined;
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
