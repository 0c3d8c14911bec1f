import type { RunResult } from "@stemma/core";
import { RunFailedError } from "@stemma/core/errors";
import { abortReason } from "@stemma/core/internal";
import type { StemmaClient } from "../client";
import { runWithTimeout } from "../http/call-timeout";
import { DRAIN_TIMEOUT_MS, IdleTimer, startTimeout } from "../http/idle-timer";
import { whenAborted } from "../http/platform";
import { retryDelay } from "../http/retry";
import { type Timeouts, type WithRequestId, withRequestId } from "../options/call-options";
import type { WireRunEvent } from "../types/run";
import { createDeferred } from "./deferred";
import { EventQueue } from "./event-queue";
import { readEvent } from "./event-source";
import { reduceRunStream } from "./reduce-run-stream";
import type { RunCursor } from "./run-cursor";
import type { RunConnection, RunSource } from "./run-source";
import {
	type ConnectionSignal,
	createRunState,
	isAbortable,
	type RunSignal,
	type RunStreamState,
	type StreamEvent,
	waitsForReader,
} from "./run-stream-state";

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

/** Options of a stream. */
export interface RunStreamOptions {
	/** The run that is there already, and where to begin reading it. */
	readonly cursor: Partial<RunCursor>;
	/** Number of tries to start the run after the first. Default: the client's. */
	readonly maxRetries?: number;
	readonly signal: AbortSignal | undefined;
	readonly timeouts: Timeouts;
}

/**
 * Follows a run at once, whether anyone reads or not: carries out what `reduceRunStream` decides. A class, as it takes
 * less memory than closures do; what is private is not printed: whoever has the token can stop the run.
 */
export class RunStream<Event extends StreamEvent, Result extends object> {
	readonly #client: StemmaClient;
	readonly #source: RunSource;
	readonly #signal: AbortSignal | undefined;
	readonly #timeouts: Timeouts;
	readonly #outcome = createDeferred<WithRequestId<Result>>();
	readonly #queue = new EventQueue<Event>(() => this.#dispatch({ type: "starved" }));
	#state: RunStreamState<Result>;
	#connection: AbortController | undefined;
	#eventTimer: IdleTimer | undefined;
	#totalTimer: IdleTimer | undefined;
	#drainTimer: IdleTimer | undefined;
	#removeAbortListener: (() => void) | undefined;

	readonly #abandon = (error: unknown): void => {
		this.#dispatch({ type: "abandoned", error });
		const { cancelState, isConnected } = this.#state;
		if (cancelState !== "pending" || !isConnected) return;
		this.#totalTimer?.stop();
		this.#totalTimer = new IdleTimer(CANCEL_GRACE_MS, () => this.#dispatch({ type: "abandoned", error }));
	};

	constructor(
		client: StemmaClient,
		source: RunSource,
		{ cursor, maxRetries = client.maxRetries, signal, timeouts }: RunStreamOptions,
	) {
		this.#client = client;
		this.#source = source;
		this.#signal = signal;
		this.#timeouts = timeouts;
		this.#state = createRunState(cursor, maxRetries);
		// What cannot be extended is not wrapped by frameworks that observe objects; a wrapper has no private fields.
		Object.preventExtensions(this);
		this.#dispatch(signal?.aborted ? { type: "abandoned", error: abortReason(signal) } : { type: "started" });
	}

	get run_id(): string | undefined {
		return this.#state.run_id;
	}

	get run_token(): string | undefined {
		return this.#state.run_token;
	}

	get requestId(): string {
		return this.#state.requestId;
	}

	// These may be handed on alone, as handlers of buttons are.
	readonly result = (): Promise<WithRequestId<Result>> => {
		this.#dispatch({ type: "awaited" });
		this.#queue.wake();
		return this.#outcome.promise;
	};

	readonly cancel = (): void => this.#dispatch({ type: "cancelled" });

	readonly close = (): void => {
		this.#queue.close();
		this.#dispatch({ type: "closed" });
	};

	[Symbol.asyncIterator](): AsyncIterator<Event, undefined> {
		return this.#queue.toIterator(this.close);
	}

	/** The error that a result is where it is a failure. */
	protected toError(_result: Result, _client: StemmaClient): Error | undefined {
		return undefined;
	}

	#dispatch(signal: RunSignal<Event>, now = Date.now()): void {
		const { state, effects } = reduceRunStream<Event, Result>(this.#state, signal, now, this.#queue.isFull);
		this.#state = state;
		const { event, end, failure, result, connect } = effects;
		if (event !== undefined && signal.type === "event") this.#queue.push(event, signal.length);
		if (end) this.#queue.end();
		if (failure !== undefined) {
			this.#queue.end(failure);
			this.#outcome.reject(failure.error);
		}
		if (result !== undefined) this.#settle(result);
		if (effects.disconnect) this.#disconnect();
		if (connect !== undefined) this.#connect(connect, signal);
		if (effects.cancel) this.#sendCancel();
		this.#updateTimers();
	}

	#updateTimers(): void {
		const state = this.#state;
		const { isConnected, isSettled, isDraining, cancelState } = state;
		if (!isDraining) {
			this.#drainTimer?.stop();
			this.#drainTimer = undefined;
		} else
			this.#drainTimer ??= new IdleTimer(DRAIN_TIMEOUT_MS, () => this.#dispatch({ type: "disconnected" }));
		if (!isAbortable(state)) {
			this.#removeAbortListener?.();
			this.#removeAbortListener = undefined;
			this.#eventTimer?.stop();
		} else if (this.#removeAbortListener === undefined) {
			this.#totalTimer = startTimeout(this.#timeouts, "timeoutMs", this.#abandon);
			this.#removeAbortListener = whenAborted(this.#signal, this.#abandon);
		}
		if (!isConnected || (isSettled && cancelState !== "pending")) this.#totalTimer?.stop();
	}

	#connect(attempt: number, signal: RunSignal<Event>): void {
		if (this.#connection === undefined) {
			this.#connection = new AbortController();
			this.#eventTimer = startTimeout(this.#timeouts, "eventTimeoutMs", this.#abandon);
		}
		void this.#read(this.#connection.signal, attempt, "error" in signal ? signal.error : undefined);
	}

	#disconnect(): void {
		this.#eventTimer?.stop();
		this.#connection?.abort();
		this.#connection = undefined;
	}

	async #read(signal: AbortSignal, attempt: number, lastError: unknown): Promise<void> {
		const { logger, retryDelayMs } = this.#client;
		const connection: RunConnection = {
			signal,
			cursor: () => this.#state,
			emit: (report) => (signal.aborted ? undefined : this.#receive(report)),
			backOff: (retry, cause) =>
				runWithTimeout({}, signal, (limit) => limit.sleep(retryDelay(retry, retryDelayMs, cause)))
					// An abort ends it early.
					.catch(() => undefined),
		};
		let error: unknown;
		try {
			if (attempt > 0) {
				logger?.warn(`The stream of ${this.run_id ?? "a new run"} dropped after event ${this.#state.seq}.`);
				await connection.backOff(attempt, lastError);
			}
			if (!signal.aborted) await this.#source.read(connection);
		} catch (thrown) {
			error = thrown;
		}
		if (!signal.aborted) this.#dispatch({ type: "disconnected", error });
	}

	#receive(report: ConnectionSignal<unknown>): Promise<void> | undefined {
		assertReport<Event>(report);
		const now = Date.now();
		const before = this.#state;
		this.#dispatch(report, now);
		if (report.type === "event" && this.#state !== before) this.#setLastEventAt(now);
		return this.#mustPause ? this.#pause() : undefined;
	}

	get #mustPause(): boolean {
		return this.#queue.isFull && waitsForReader(this.#state);
	}

	async #pause(): Promise<void> {
		this.#setLastEventAt(Number.POSITIVE_INFINITY);
		while (this.#mustPause) await this.#queue.waitForChange();
		this.#setLastEventAt(Date.now());
	}

	#setLastEventAt(lastEventAt: number): void {
		if (this.#eventTimer !== undefined) this.#eventTimer.lastActivityAt = lastEventAt;
	}

	#settle(result: Result): void {
		const error = this.toError(result, this.#client);
		if (error === undefined) this.#outcome.resolve(withRequestId(result, this.requestId));
		else this.#outcome.reject(error);
	}

	#sendCancel(): void {
		this.#source.cancel(this.#state).catch((error: unknown) => {
			this.#dispatch({ type: "cancelFailed" });
			this.#client.logger?.warn(`The run ${this.run_id} could not be cancelled: ${error}`);
		});
	}
}

/** @throws StreamError for what is no event. */
function assertReport<Event extends StreamEvent>(
	report: ConnectionSignal<unknown>,
): asserts report is ConnectionSignal<Event> {
	if (report.type !== "event") return;
	const event = readEvent<Event>(report.event, report.requestId);
	// Not printed, not sent on: whoever has it can read and stop the run.
	if (event.run_token !== undefined) Object.defineProperty(event, "run_token", { enumerable: false });
}

/** Stream of a run of the service or of a runtime. */
export class ServiceRunStream extends RunStream<WireRunEvent, RunResult> implements AgentRunStream {
	async text(): Promise<string> {
		const { output } = await this.result();
		return typeof output === "string" ? output : JSON.stringify(output);
	}

	protected override toError(result: RunResult, client: StemmaClient): Error | undefined {
		if (result.status !== "failed") return undefined;
		const redacted = client.redact(result, this.run_token);
		return new RunFailedError(withRequestId(redacted, this.requestId));
	}
}
