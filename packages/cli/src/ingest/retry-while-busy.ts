import { setTimeout as wait } from "node:timers/promises";
import { ApiError } from "@stemma/client";

/** Options of work that waits while the service is too busy for it. */
export interface RetryWhileBusyOptions {
	/** Called each time before a pause. */
	readonly onWait: (error: ApiError) => void;
	readonly signal: AbortSignal | undefined;
}

/** Refusals of a service that has too much to do: they have changed nothing. */
const BUSY_CODES: readonly string[] = [
	"too_many_bytes",
	"too_many_requests",
	"too_many_waiting",
	"rate_limited",
];
/** Longest time that one piece of work waits, all together. */
const MAX_BUSY_MS = 300_000;
/** Longest pause that a service may ask for. */
const MAX_PAUSE_MS = 60_000;

/** Repeats work as long as the service is too busy for it, with the pauses that the service asks for. */
export async function retryWhileBusy<Result>(
	work: () => Promise<Result>,
	{ onWait, signal }: RetryWhileBusyOptions,
): Promise<Result> {
	const endMs = performance.now() + MAX_BUSY_MS;
	for (;;)
		try {
			return await work();
		} catch (error) {
			const pauseMs = readRetryAfterMs(error);
			if (!ApiError.is(error) || pauseMs === undefined || performance.now() + pauseMs > endMs) throw error;
			onWait(error);
			await wait(pauseMs, undefined, { signal });
		}
}

function readRetryAfterMs(error: unknown): number | undefined {
	if (!ApiError.is(error) || !BUSY_CODES.includes(error.code)) return undefined;
	const { retryAfterMs } = error;
	return retryAfterMs === undefined || retryAfterMs > MAX_PAUSE_MS ? undefined : retryAfterMs;
}
