import type { Timeouts } from "./call-options";
import { TimeoutError, type TimeoutName } from "./errors";
import { abortReason, setTimer } from "./platform";

/** What may stop a call before it is done: its caller, or a deadline. */
export interface CallGuard {
	/** For `fetch`; aborts when the call is stopped, and when it ends. */
	readonly signal: AbortSignal;
	/** What stopped the call, if anything did. */
	readonly stopped: { readonly error: unknown } | undefined;
	/** Waits for some work, one at a time and within a deadline, or rejects with what stopped the call. */
	wait<Result>(work: Promise<Result>, timeout?: "responseMs" | "silenceMs"): Promise<Result>;
	sleep(milliseconds: number): Promise<void>;
	/** Lets go of timers, listeners and the connection. */
	end(): void;
}

/**
 * `fetch` rejects differently on each platform when it is aborted, and some do not heed the signal: the guard does not
 * rely on it.
 */
export function createCallGuard(timeouts: Timeouts, caller: AbortSignal | undefined): CallGuard {
	const controller = new AbortController();
	let stopped: { readonly error: unknown } | undefined;
	let onStop: ((error: unknown) => void) | undefined;
	const onAbort = (): void => {
		if (caller !== undefined) stop(abortReason(caller));
	};
	const stopTotal = timeouts.totalMs === undefined ? () => {} : startDeadline("totalMs", timeouts.totalMs);
	if (caller?.aborted === true) onAbort();
	else caller?.addEventListener("abort", onAbort);

	function startDeadline(timeout: TimeoutName, milliseconds: number): () => void {
		return setTimer(milliseconds, () => stop(new TimeoutError(timeout, milliseconds)));
	}

	function stop(error: unknown): void {
		if (stopped !== undefined) return;
		stopped = { error };
		onStop?.(error);
		end();
	}

	function end(): void {
		stopped ??= { error: new Error("The call has ended.") };
		stopTotal();
		caller?.removeEventListener("abort", onAbort);
		controller.abort();
	}

	async function wait<Result>(work: Promise<Result>, timeout?: "responseMs" | "silenceMs"): Promise<Result> {
		work.catch(() => undefined);
		if (stopped !== undefined) throw stopped.error;
		const stopTimer = timeout === undefined ? () => {} : startDeadline(timeout, timeouts[timeout]);
		try {
			return await new Promise<Result>((resolve, reject) => {
				onStop = reject;
				work.then(resolve, reject);
			});
		} finally {
			stopTimer();
		}
	}

	async function sleep(milliseconds: number): Promise<void> {
		let stopTimer = (): void => undefined;
		const slept = new Promise<void>((resolve) => {
			stopTimer = setTimer(milliseconds, resolve);
		});
		await wait(slept).finally(stopTimer);
	}

	return {
		signal: controller.signal,
		get stopped() {
			return stopped;
		},
		wait,
		sleep,
		end,
	};
}
