import { ApiError } from "./api-errors";
import { createCallGuard } from "./call-guard";
import { StreamError, TimeoutError } from "./errors";
import { createNoEventError, type TakeEvent } from "./event-source";
import { INVALID_ANSWER } from "./invalid-answer";
import { isWorthRetrying, retryDelay, wantsLongPause } from "./retry";
import { type FollowedRun, isRunId } from "./run-source";
import type { WireRunEvent } from "./types/run";

/** Drops in a row, without a new event between them, after which a run is given up. */
const MOST_DROPS = 8;
/** A connection that stood so long was no failure, even without an event: proxies cut after a minute. */
const GOOD_CONNECTION_MS = 5000;
/** So many gaps are remembered. */
const MOST_MISSED = 1000;

/**
 * Gives the events of a run to `take`, each once, over as many connections as it takes, until the signal is aborted.
 * `run` moves on with each event, so that a later call goes on where this one was left.
 *
 * @param onEnd - is called after each connection, with what broke it: it may abort the signal.
 * @throws StreamError `stream_lost` after too many drops in a row.
 */
export async function followRun(
	run: FollowedRun,
	signal: AbortSignal,
	take: TakeEvent<WireRunEvent>,
	onEnd: (drop: unknown) => void,
): Promise<void> {
	const { logger, maxRetries, retryDelayMs } = run.client;
	const takeNew: typeof take = (event, length) =>
		signal.aborted || !moveOn(run, event) ? undefined : take(event, length);
	for (let drops = 1; ; drops++) {
		const { seq, openedAt, mayHaveBegun } = run;
		let drop: unknown;
		try {
			await run.read(run, signal, takeNew);
		} catch (error) {
			drop = error;
		}
		if (isWorthRetrying(drop, "refused")) run.mayHaveBegun = mayHaveBegun;
		if (!signal.aborted) onEnd(drop);
		if (signal.aborted) return;
		if (
			drop !== undefined &&
			(run.openedAt > 0 ? !isDrop(drop) : drops > maxRetries || !isWorthRetrying(drop))
		)
			throw drop;
		if (run.seq > seq || (run.openedAt > openedAt && stoodWell(run, drop))) drops = 1;
		// It ended in good order, as one that has grown long does.
		if (run.seq > seq && drop === undefined) continue;
		if (drops > MOST_DROPS) throw toLostError(run, drop);
		logger?.warn(`The stream of ${run.run_id ?? "a new run"} dropped after event ${run.seq}.`);
		await pause(retryDelay(drops, retryDelayMs, drop), signal);
	}
}

/** Not by deadlines: a mute service is not there. */
const stoodWell = ({ openedAt }: FollowedRun, drop: unknown): boolean =>
	!TimeoutError.is(drop) && Date.now() - openedAt > GOOD_CONNECTION_MS;

/**
 * Whether an event is new. Connections bring events in their order, and repeats when they are taken up again: what is not
 * above the last is a repeat. But gaps are legal (client keys that see answers alone), so one that was overtaken cannot be
 * told from one that is never shown, and is not waited for: if it comes after all, it is given late rather than lost.
 */
function moveOn(run: FollowedRun, event: WireRunEvent): boolean {
	if (event.seq <= run.seq) return run.missed?.delete(event.seq) === true;
	for (let seq = run.seq + 1; seq < event.seq; seq++) {
		run.missed ??= new Set();
		if (run.missed.size >= MOST_MISSED) break;
		run.missed.add(seq);
	}
	run.seq = event.seq;
	run.run_id ??= event.run_id;
	if (!isRunId(run.run_id)) throw createNoEventError(run.requestId);
	run.start = undefined;
	if (event.type === "run.started" && event.run_token !== undefined) {
		run.run_token ??= event.run_token;
		// Not printed, not sent on: whoever has it can read and stop the run.
		Object.defineProperty(event, "run_token", { enumerable: false });
	}
	return true;
}

/** Not what the service refuses, but what may be over in a moment: a page of a proxy, too, once the service has answered. */
const isDrop = (error: unknown): boolean =>
	isWorthRetrying(error) ||
	TimeoutError.is(error) ||
	(ApiError.is(error) && (error.code === INVALID_ANSWER || error.status === 500) && !wantsLongPause(error));

function toLostError({ run_id, seq, requestId }: FollowedRun, cause: unknown): StreamError {
	const run = run_id === undefined ? "the run" : `the run ${run_id}`;
	return new StreamError(`The connection to ${run} was lost after event ${seq} and could not be had again.`, {
		code: "stream_lost",
		hint: "The run itself may go on: read it again with `runs.stream` or `runs.get`, once the service can be reached.",
		requestId,
		cause,
	});
}

/** An abort ends it early. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
	const guard = createCallGuard({}, signal);
	return guard
		.sleep(milliseconds)
		.catch(() => undefined)
		.finally(() => guard.end());
}
