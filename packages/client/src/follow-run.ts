import { ApiError } from "./api-errors";
import { createCallGuard } from "./call-guard";
import type { StemmaClient } from "./client";
import { isBrokenConnection } from "./connection-error";
import { StreamError, TimeoutError } from "./errors";
import { INVALID_ANSWER } from "./invalid-answer";
import { retryDelay, wantsLongPause } from "./retry";
import { hideRunToken, type RunPlace, type RunSource } from "./run-source";
import type { WireRunEvent } from "./types/run";

/** Drops in a row, without a new event between them, after which a run is given up. */
const MOST_DROPS = 8;
/** A connection that stood so long was no failure, even without an event: proxies cut after a minute. */
const GOOD_CONNECTION_MS = 5000;

type LastEvent = Extract<
	WireRunEvent,
	{ readonly type: "run.completed" | "run.failed" | "run.cancelled" | "run.paused" }
>;

const LAST: readonly string[] = ["run.completed", "run.failed", "run.cancelled", "run.paused"];

/** The last event of a run, or of this part of it: `run.paused` waits for a person. */
export const isLastEvent = (event: WireRunEvent): event is LastEvent => LAST.includes(event.type);

export interface FollowOptions {
	readonly signal: AbortSignal;
	readonly client: Pick<StemmaClient, "retryDelayMs" | "logger" | "timeouts">;
}

/**
 * The events of a run up to its last, each once and in order, over as many connections as it takes. `place` moves on with
 * each event, so that a later call goes on where this one was left.
 *
 * @throws StreamError `stream_lost` after too many drops in a row.
 */
export async function* followRun(
	source: RunSource,
	place: RunPlace,
	{ signal, client }: FollowOptions,
): AsyncGenerator<WireRunEvent> {
	let isRejoin = false;
	for (let drops = 1; ; drops++) {
		const seqBefore = place.seq;
		let openedAt = Number.POSITIVE_INFINITY;
		let drop: unknown;
		try {
			const events = await source.open(place, { signal, isRejoin });
			openedAt = Date.now();
			isRejoin = true;
			for await (const event of events) {
				if (event.seq <= place.seq) continue;
				moveOn(place, event);
				yield event;
				if (isLastEvent(event)) return;
			}
		} catch (error) {
			if (!isRejoin || !isDrop(error)) throw error;
			drop = error;
		}
		if (place.seq > seqBefore || stoodWell(openedAt, drop)) drops = 1;
		if (drops > MOST_DROPS) throw toLostError(place, drop);
		client.logger?.warn(`The stream of ${place.runId ?? "a new run"} dropped after event ${place.seq}.`);
		await pause(retryDelay(drops, client.retryDelayMs, drop), signal, client);
	}
}

/** Not by deadlines: a mute service is not there. */
const stoodWell = (openedAt: number, drop: unknown): boolean =>
	!TimeoutError.is(drop) && Date.now() - openedAt > GOOD_CONNECTION_MS;

function moveOn(place: RunPlace, event: WireRunEvent): void {
	place.seq = event.seq;
	place.runId ??= event.run_id;
	if (event.type !== "run.started") return;
	place.runToken ??= event.run_token;
	hideRunToken(event);
}

const MAY_BE_OVER: readonly number[] = [408, 429, 500, 502, 503, 504];

/** Not what the service refuses, but what may be over in a moment: a page of a proxy, too, once the service has answered. */
function isDrop(error: unknown): boolean {
	if (ApiError.is(error) && error.code === INVALID_ANSWER) return true;
	if (ApiError.is(error)) return MAY_BE_OVER.includes(error.status) && !wantsLongPause(error);
	return isBrokenConnection(error) || TimeoutError.is(error);
}

function toLostError({ runId, seq, requestId }: RunPlace, cause: unknown): StreamError {
	const run = runId === undefined ? "the run" : `the run ${runId}`;
	return new StreamError(`The connection to ${run} was lost after event ${seq} and could not be had again.`, {
		code: "stream_lost",
		hint: "The run itself may go on: read it again with `runs.stream` or `runs.get`, once the service can be reached.",
		requestId,
		...(cause === undefined ? {} : { cause }),
	});
}

async function pause(
	milliseconds: number,
	signal: AbortSignal,
	{ timeouts }: FollowOptions["client"],
): Promise<void> {
	const { responseMs, silenceMs } = timeouts;
	const guard = createCallGuard({ responseMs, silenceMs }, signal);
	await guard.sleep(milliseconds).finally(guard.end);
}
