import { setTimeout as wait } from "node:timers/promises";
import { isStemmaError } from "@stemma/core/errors";

export interface RetryOptions {
	/** Rejects at once, whatever the call does. */
	readonly signal: AbortSignal;
	/** The call failed and is made again later. */
	readonly onError: (error: unknown) => void;
}

const PASSING_CODES = new Set(["rate_limited", "overloaded", "timeout", "unreachable", "stream_truncated"]);
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;
/** A vendor may ask for more than our own waits, but not to wait for days. */
const LONGEST_ASKED_WAIT_MS = 10 * 60_000;

/**
 * Makes a call until it works, or fails for good: vendors are busy, networks break, and what waits loses nothing.
 *
 * @throws the error of a call that would fail again, or the signal's reason.
 */
export async function retryPassing<Result>(
	call: () => Promise<Result>,
	{ signal, onError }: RetryOptions,
): Promise<Result> {
	for (let tries = 0; ; tries++) {
		try {
			return await untilAborted(call(), signal);
		} catch (error) {
			signal.throwIfAborted();
			if (!isPassing(error)) throw error;
			onError(error);
			await wait(toWaitMs(error, tries), undefined, { signal }).catch(() => signal.throwIfAborted());
		}
	}
}

/** What is no error of ours came from below, such as a network or a disk. */
const isPassing = (error: unknown): boolean =>
	!isStemmaError(error) || PASSING_CODES.has(error.code) || readAskedSeconds(error) !== undefined;

function toWaitMs(error: unknown, tries: number): number {
	const asked = readAskedWaitMs(error);
	if (asked !== undefined) return Math.min(asked, LONGEST_ASKED_WAIT_MS);
	// Not all workspaces at the same moment.
	return Math.min(FIRST_WAIT_MS * 2 ** tries, LONGEST_WAIT_MS) * (0.75 + Math.random() / 4);
}

/** By a vendor (milliseconds), or by the service itself (seconds). */
function readAskedWaitMs(error: unknown): number | undefined {
	const { retryAfterMs } = Object(error) as { readonly retryAfterMs?: unknown };
	if (typeof retryAfterMs === "number") return retryAfterMs;
	const seconds = readAskedSeconds(error);
	return seconds === undefined ? undefined : seconds * 1_000;
}

function readAskedSeconds(error: unknown): number | undefined {
	const { retryAfterSeconds } = Object(error) as { readonly retryAfterSeconds?: unknown };
	return typeof retryAfterSeconds === "number" ? retryAfterSeconds : undefined;
}

function untilAborted<Result>(promise: Promise<Result>, signal: AbortSignal): Promise<Result> {
	return new Promise((resolve, reject) => {
		const onAbort = () => reject(signal.reason);
		if (signal.aborted) onAbort();
		signal.addEventListener("abort", onAbort, { once: true });
		promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
	});
}
