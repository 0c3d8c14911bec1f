const MINUTE_MS = 60_000;
/** Longest pause after failures, unless the schedule itself is slower, in milliseconds. */
const MAX_BACKOFF_MS = 24 * 60 * MINUTE_MS;
/** Share of an interval by which a sync starts earlier or later, so that not all start at once. */
const JITTER = 0.1;

export interface NextSyncInput {
	/** `null`: there is no schedule. */
	readonly everyMinutes: number | null;
	/** Syncs that failed since one succeeded. */
	readonly failures: number;
	readonly now: number;
	/** 0 to 1. */
	readonly random: number;
}

/** Time of the next sync by schedule, in epoch milliseconds: later after each failure, up to a day. */
export function findNextSync({ everyMinutes, failures, now, random }: NextSyncInput): number | null {
	if (everyMinutes === null) return null;
	const intervalMs = everyMinutes * MINUTE_MS;
	const pauseMs = Math.min(intervalMs * 2 ** Math.min(failures, 20), Math.max(intervalMs, MAX_BACKOFF_MS));
	return Math.round(now + pauseMs * (1 + JITTER * (2 * random - 1)));
}
