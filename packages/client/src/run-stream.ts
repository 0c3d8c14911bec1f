import type { RunResult } from "@stemma/core";
import { RunFailedError } from "@stemma/core/errors";
import { isJsonObject } from "@stemma/core/internal";
import { type Timeouts, type WithRequestId, withRequestId } from "./call-options";
import { type Deadline, startDeadline, startTimeout } from "./deadline";
import { createDeferred } from "./deferred";
import { createEventQueue, toIterator } from "./event-queue";
import { createNoEventError } from "./event-source";
import { followRun } from "./follow-run";
import { abortReason, whenAborted } from "./platform";
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
	readonly runId: string | undefined;
	/** What a client key reads, rejoins and cancels the run with; known as `runId` is. Keep it as you keep a secret. */
	readonly runToken: string | undefined;
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

/** Follows a run at once, whether anyone reads or not. */
export function createRunStream(
	run: FollowedRun,
	signal: AbortSignal | undefined,
	timeouts: Timeouts,
): AgentRunStream {
	const outcome = createDeferred<WithRequestId<RunResult>>();
	const queue = createEventQueue<WireRunEvent>(fillGap);
	let isSettled = false;
	let isAwaited = false;
	/** The reader still wants events: it has not left, and the last one is not in the queue. */
	let isRead = true;
	let keptSeq = run.seq;
	/** Events after `keptSeq` were not kept. */
	let hasGap = false;
	let stopping: "wanted" | "done" | undefined;
	let connection: AbortController | undefined;
	let progress: Deadline | undefined;
	let total: Deadline | undefined;
	let unlisten = (): void => undefined;

	/** Somebody wants the events, the result, or the run's id to stop it by. Before a run has begun, it is not left. */
	const isWanted = (): boolean =>
		stopping === "wanted" || (isRead && !hasGap) || (!isSettled && (isAwaited || run.runId === undefined));

	function connect(): void {
		if (connection === undefined && isWanted()) void follow(new AbortController());
	}

	function disconnect(): void {
		if (!isWanted()) connection?.abort();
	}

	async function follow(controller: AbortController): Promise<void> {
		connection = controller;
		progress = startTimeout(timeouts, "progressMs", abandon);
		await followRun(run, controller.signal, take).catch(fail);
		progress?.stop();
		connection = undefined;
		if (isSettled) total?.stop();
		connect();
	}

	function take(event: WireRunEvent, length: number): Promise<void> | undefined {
		reportProgress(Date.now());
		if (isRead) keep(event, length);
		if (isLastEvent(event)) finish(event.result);
		stopIfKnown();
		disconnect();
		return mustPause() ? pause() : undefined;
	}

	function reportProgress(since: number): void {
		if (progress !== undefined) progress.since = since;
	}

	function keep(event: WireRunEvent, length: number): void {
		hasGap ||= queue.isFull;
		if (hasGap) return;
		queue.push(event, length);
		keptSeq = run.seq;
	}

	/** The reader has come to where events were not kept: they are read again. */
	function fillGap(): void {
		if (!hasGap) return;
		hasGap = false;
		run.seq = keptSeq;
		run.missed.clear();
		connection?.abort();
		connect();
	}

	const mustPause = (): boolean => isRead && queue.isFull && (isSettled || !isAwaited);

	async function pause(): Promise<void> {
		reportProgress(Number.POSITIVE_INFINITY);
		while (mustPause()) await queue.untilChange();
		reportProgress(Date.now());
	}

	function finish(result: RunResult): void {
		if (!isJsonObject(result)) throw createNoEventError(run.requestId);
		stopping = "done";
		if (!hasGap) endReading();
		if (isSettled) return;
		settle();
		const known = withRequestId<RunResult>(result, run.requestId);
		if (known.status === "failed") outcome.reject(new RunFailedError(known));
		else outcome.resolve(known);
	}

	function fail(error: unknown): void {
		stopping = "done";
		failWith(error);
	}

	/** The caller wants nothing of the run any more: it is stopped, and nobody is kept waiting for that. */
	function abandon(reason: unknown): void {
		stopRun();
		failWith(reason);
		disconnect();
		if (stopping === "wanted") total = startDeadline(STOP_GRACE_MS, giveUp);
	}

	function giveUp(): void {
		stopping = "done";
		disconnect();
	}

	function failWith(error: unknown): void {
		settle();
		endReading({ error });
		outcome.reject(error);
	}

	function settle(): void {
		isSettled = true;
		total?.stop();
		unlisten();
	}

	function endReading(failure?: { readonly error: unknown }): void {
		isRead = false;
		queue.end(failure);
	}

	function stopRun(): void {
		stopping ??= "wanted";
		stopIfKnown();
	}

	function stopIfKnown(): void {
		if (stopping !== "wanted" || run.runId === undefined) return;
		stopping = "done";
		run.client.request(toRunRequest(run, "POST", "cancel")).catch((error: unknown) => {
			run.client.logger?.warn(`The run ${run.runId} could not be cancelled: ${error}`);
		});
	}

	function leave(): void {
		isRead = false;
		queue.close();
		disconnect();
	}

	function result(): Promise<WithRequestId<RunResult>> {
		isAwaited = true;
		queue.wake();
		connect();
		return outcome.promise;
	}

	if (signal?.aborted === true) fail(abortReason(signal));
	else {
		unlisten = whenAborted(signal, abandon);
		total = startTimeout(timeouts, "totalMs", abandon);
		connect();
	}

	return {
		get runId() {
			return run.runId;
		},
		get runToken() {
			return run.runToken;
		},
		get requestId() {
			return run.requestId;
		},
		result,
		async text() {
			const { output } = await result();
			return typeof output === "string" ? output : JSON.stringify(output);
		},
		cancel() {
			if (isSettled) return;
			stopRun();
			connect();
		},
		close: leave,
		[Symbol.asyncIterator]: () => toIterator(queue, leave),
	};
}

/** `run.paused` ends this part of a run: it waits for a person. */
const isLastEvent = (
	event: WireRunEvent,
): event is Extract<
	WireRunEvent,
	{ readonly type: "run.completed" | "run.failed" | "run.cancelled" | "run.paused" }
> => /^run\.(completed|failed|cancelled|paused)$/.test(event.type);
