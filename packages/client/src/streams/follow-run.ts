import { ApiError } from "../errors/api-errors";
import { StreamError, TimeoutError } from "../errors/errors";
import { INVALID_RESPONSE } from "../errors/invalid-response";
import { createCallTimeout } from "../http/call-timeout";
import { exceedsMaxRetryAfter, isRetryable, retryDelay } from "../http/retry";
import type { WireRunEvent } from "../types/run";
import { createInvalidEventError, type EventHandler } from "./event-source";
import { type FollowedRun, isRunId } from "./run-source";

/** Drops in a row, without a new event between them, after which a run is given up. */
const MAX_CONSECUTIVE_DISCONNECTS = 8;
/** A connection that stood so long was no failure, even without an event: proxies cut after a minute. */
const HEALTHY_CONNECTION_MS = 5000;
/** Maximum number of missing sequence numbers that are remembered. */
const MAX_MISSING_SEQS = 1000;

/**
 * Gives the events of a run to `onEvent`, each once, over as many connections as it takes, until the signal is aborted.
 * `run` moves on with each event, so that a later call goes on where this one was left.
 *
 * @param onDisconnect - is called after each connection, with what broke it: it may abort the signal.
 * @throws StreamError `stream_lost` after too many disconnects in a row.
 */
export async function followRun(
	run: FollowedRun,
	signal: AbortSignal,
	onEvent: EventHandler<WireRunEvent>,
	onDisconnect: (disconnectError: unknown) => void,
): Promise<void> {
	const { logger, maxRetries, retryDelayMs } = run.client;
	const onNewEvent: typeof onEvent = (event, length) =>
		signal.aborted || !advance(run, event) ? undefined : onEvent(event, length);
	for (let disconnects = 1; ; disconnects++) {
		const { seq, openedAt, mayHaveStarted } = run;
		let disconnectError: unknown;
		try {
			await run.read(run, signal, onNewEvent);
		} catch (error) {
			disconnectError = error;
		}
		if (isRetryable(disconnectError, "if-not-started")) run.mayHaveStarted = mayHaveStarted;
		if (!signal.aborted) onDisconnect(disconnectError);
		if (signal.aborted) return;
		if (
			disconnectError !== undefined &&
			(run.openedAt > 0
				? !isReconnectable(disconnectError)
				: disconnects > maxRetries || !isRetryable(disconnectError))
		)
			throw disconnectError;
		if (run.seq > seq || (run.openedAt > openedAt && wasHealthy(run, disconnectError))) disconnects = 1;
		// It ended in good order, as one that has grown long does.
		if (run.seq > seq && disconnectError === undefined) continue;
		if (disconnects > MAX_CONSECUTIVE_DISCONNECTS) throw createStreamLostError(run, disconnectError);
		logger?.warn(`The stream of ${run.run_id ?? "a new run"} dropped after event ${run.seq}.`);
		await sleep(retryDelay(disconnects, retryDelayMs, disconnectError), signal);
	}
}

/**
 * Checks whether the last connection was open long enough to be no failure. A timeout is one: the service was silent.
 */
const wasHealthy = ({ openedAt }: FollowedRun, disconnectError: unknown): boolean =>
	!TimeoutError.is(disconnectError) && Date.now() - openedAt > HEALTHY_CONNECTION_MS;

/**
 * Moves the run on to an event and returns whether it is new. Connections send events in order, and repeat some after a
 * reconnect: an event that is not above the last one is a repeat. But gaps are legal (client keys that see answers
 * alone), so a delayed event cannot be distinguished from a hidden one. It is not waited for; if it comes after all, it
 * is delivered late rather than lost.
 */
function advance(run: FollowedRun, event: WireRunEvent): boolean {
	if (event.seq <= run.seq) return run.missingSeqs?.delete(event.seq) === true;
	for (let seq = run.seq + 1; seq < event.seq; seq++) {
		run.missingSeqs ??= new Set();
		if (run.missingSeqs.size >= MAX_MISSING_SEQS) break;
		run.missingSeqs.add(seq);
	}
	run.seq = event.seq;
	run.run_id ??= event.run_id;
	if (!isRunId(run.run_id)) throw createInvalidEventError(run.requestId);
	run.start = undefined;
	if (event.type === "run.started" && event.run_token !== undefined) {
		run.run_token ??= event.run_token;
		// Not printed, not sent on: whoever has it can read and stop the run.
		Object.defineProperty(event, "run_token", { enumerable: false });
	}
	return true;
}

/**
 * Checks whether a new connection may help: after an error that may pass in a moment, not after a refusal of the
 * service. Once the service has answered, an error page of a proxy may pass, too.
 */
const isReconnectable = (error: unknown): boolean =>
	isRetryable(error) ||
	TimeoutError.is(error) ||
	(ApiError.is(error) &&
		(error.code === INVALID_RESPONSE || error.status === 500) &&
		!exceedsMaxRetryAfter(error));

function createStreamLostError({ run_id, seq, requestId }: FollowedRun, cause: unknown): StreamError {
	const run = run_id === undefined ? "the run" : `the run ${run_id}`;
	return new StreamError(`The connection to ${run} was lost after event ${seq} and could not be had again.`, {
		code: "stream_lost",
		hint: "The run itself may go on: read it again with `runs.stream` or `runs.get`, once the service can be reached.",
		requestId,
		cause,
	});
}

/** An abort ends it early. */
export function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
	const callTimeout = createCallTimeout({}, signal);
	return callTimeout
		.sleep(milliseconds)
		.catch(() => undefined)
		.finally(() => callTimeout.end());
}
