import type { RunResult } from "@stemma/core";
import { RunFailedError } from "@stemma/core/errors";
import { type CallOptions, type WithRequestId, withRequestId } from "./call-options";
import type { StemmaClient } from "./client";
import { createDeferred } from "./deferred";
import { TimeoutError } from "./errors";
import { createEventQueue } from "./event-queue";
import { followRun, isLastEvent } from "./follow-run";
import { abortReason, setTimer } from "./platform";
import type { RunPlace, RunSource } from "./run-source";
import { createRunStopper } from "./run-stopper";
import type { WireRunEvent } from "./types/run";

/**
 * A run under way in a service or a runtime. Read its events once with `for await`: the connection may drop meanwhile, and
 * is taken up again without loss or repeats. Leaving the loop detaches, and the run goes on. The last event is
 * `run.completed`, `run.failed`, `run.cancelled` or `run.paused`.
 */
export interface AgentRunStream extends AsyncIterable<WireRunEvent> {
	/** `run_…`, once it is known: from the first event on. */
	readonly runId: string | undefined;
	/** What a client key reads, rejoins and cancels the run with; known as `runId` is. Keep it as you keep a secret. */
	readonly runToken: string | undefined;
	/** `x-request-id` of the answer that began the run; empty before it. */
	readonly requestId: string;
	/**
	 * The end of the run: completed, paused and cancelled resolve, with `status`. After `close` it connects again.
	 *
	 * @throws RunFailedError for a failed run, with the result; ApiError when it was not started; StreamError when it
	 * cannot be read any more; the signal's reason after an abort.
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

export interface RunStreamOptions {
	readonly client: StemmaClient;
	readonly source: RunSource;
	/** Where reading begins. */
	readonly place: RunPlace;
	readonly options: CallOptions;
}

/** Follows a run at once; whether anyone reads makes no difference to it. */
export function createRunStream({ client, source, place, options }: RunStreamOptions): AgentRunStream {
	const { signal } = options;
	const totalMs = options.timeouts?.totalMs ?? client.timeouts.totalMs;
	const queue = createEventQueue<WireRunEvent>();
	const outcome = createDeferred<WithRequestId<RunResult>>();
	const stopper = createRunStopper(source, place, client.logger);
	let isSettled = false;
	let isReading = true;
	let isAwaited = false;
	let connection: AbortController | undefined;
	let stopTimer = (): void => undefined;

	/** Somebody wants the events, or the run's id in order to stop it. Before a run has begun, it is not left. */
	const isWanted = (): boolean =>
		stopper.isWaiting || (!isSettled && (isReading || isAwaited || place.runId === undefined));

	function connect(): void {
		if (connection === undefined && isWanted()) void follow(new AbortController());
	}

	function disconnect(): void {
		if (!isWanted()) connection?.abort();
	}

	async function follow(controller: AbortController): Promise<void> {
		connection = controller;
		try {
			for await (const event of followRun(source, place, { signal: controller.signal, client })) {
				take(event);
				stopper.tryNow();
				if (!isWanted()) break;
			}
		} catch (error) {
			if (!controller.signal.aborted) fail(error);
		}
		connection = undefined;
		if (isSettled) stopTimer();
		connect();
	}

	function take(event: WireRunEvent): void {
		if (isSettled) return;
		queue.push(event);
		if (!isLastEvent(event)) return;
		const result = withRequestId(event.result, place.requestId);
		settle();
		stopper.giveUp();
		queue.end();
		if (result.status === "failed") outcome.reject(new RunFailedError(result));
		else outcome.resolve(result);
	}

	function fail(error: unknown): void {
		stopper.giveUp();
		if (isSettled) return;
		settle();
		queue.fail(error);
		outcome.reject(error);
	}

	function settle(): void {
		isSettled = true;
		stopTimer();
		signal?.removeEventListener("abort", onAbort);
	}

	/** The caller wants nothing of the run any more: it is stopped, and nobody is kept waiting for that. */
	function abandon(reason: unknown): void {
		if (isSettled) return;
		stopper.stop();
		settle();
		queue.fail(reason);
		outcome.reject(reason);
		disconnect();
		if (stopper.isWaiting) stopTimer = setTimer(STOP_GRACE_MS, endGrace);
	}

	function endGrace(): void {
		stopper.giveUp();
		disconnect();
	}

	function onAbort(): void {
		if (signal !== undefined) abandon(abortReason(signal));
	}

	function leave(): void {
		isReading = false;
		queue.close();
		disconnect();
	}

	function result(): Promise<WithRequestId<RunResult>> {
		isAwaited = true;
		connect();
		return outcome.promise;
	}

	if (signal?.aborted === true) fail(abortReason(signal));
	else signal?.addEventListener("abort", onAbort);
	if (totalMs !== undefined && !isSettled)
		stopTimer = setTimer(totalMs, () => abandon(new TimeoutError("totalMs", totalMs)));
	connect();

	return {
		get runId() {
			return place.runId;
		},
		get runToken() {
			return place.runToken;
		},
		get requestId() {
			return place.requestId;
		},
		result,
		async text() {
			const { output } = await result();
			return typeof output === "string" ? output : JSON.stringify(output);
		},
		cancel() {
			if (isSettled) return;
			stopper.stop();
			connect();
		},
		close: leave,
		[Symbol.asyncIterator]: () => ({
			next: queue.next,
			async return() {
				leave();
				return { done: true, value: undefined };
			},
		}),
	};
}
