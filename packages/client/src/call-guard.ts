import type { Timeouts } from "./call-options";
import { type Deadline, startDeadline, startTimeout } from "./deadline";
import { whenAborted } from "./platform";

/** What may stop a call before it is done: its caller, or a deadline. */
export interface CallGuard {
	/** For `fetch`; aborts when the call is stopped, and when it ends. */
	readonly signal: AbortSignal;
	/** Waits for some work, one at a time and within a deadline; rejects with what stopped the call, or how the work failed. */
	wait<Result>(work: Promise<Result>, timeout?: "responseMs" | "silenceMs"): Promise<Result>;
	sleep(milliseconds: number): Promise<void>;
	/** Lets go of timers, listeners and the connection. */
	end(): void;
}

/**
 * `fetch` rejects differently on each platform when it is aborted, and some do not heed the signal: the guard does not
 * rely on it.
 *
 * @param toError - what to reject with where the work itself fails.
 */
export function createCallGuard(
	timeouts: Partial<Timeouts>,
	caller: AbortSignal | undefined,
	toError = (error: unknown): unknown => error,
): CallGuard {
	const controller = new AbortController();
	let stopped: { readonly error: unknown } | undefined;
	let onStop: ((error: unknown) => void) | undefined;
	let unlisten: (() => void) | undefined;
	/** Of what is waited for; kept for the next wait of its kind: bodies come in many pieces. */
	let deadline: Deadline | undefined;
	let deadlineName: "responseMs" | "silenceMs" | undefined;
	const total = startTimeout(timeouts, "totalMs", stop);
	unlisten = whenAborted(caller, stop);

	function watch(name: "responseMs" | "silenceMs"): void {
		if (deadlineName !== name) {
			deadline?.stop();
			deadline = startTimeout(timeouts, name, stop);
			deadlineName = name;
		}
		if (deadline !== undefined) deadline.since = Date.now();
	}

	function rest(): void {
		if (deadline !== undefined) deadline.since = Number.POSITIVE_INFINITY;
	}

	function stop(error: unknown): void {
		stopped ??= { error };
		onStop?.(stopped.error);
		total?.stop();
		deadline?.stop();
		unlisten?.();
		controller.abort();
	}

	function wait<Result>(work: Promise<Result>, timeout?: "responseMs" | "silenceMs"): Promise<Result> {
		return new Promise((resolve, reject) => {
			onStop = reject;
			work.then(
				(value) => {
					rest();
					resolve(value);
				},
				(error) => {
					rest();
					reject(toError(error));
				},
			);
			if (stopped !== undefined) reject(stopped.error);
			else if (timeout !== undefined) watch(timeout);
		});
	}

	function sleep(milliseconds: number): Promise<void> {
		let timer: Deadline | undefined;
		const slept = new Promise<void>((resolve) => {
			timer = startDeadline(milliseconds, resolve);
		});
		return wait(slept).finally(() => timer?.stop());
	}

	return { signal: controller.signal, wait, sleep, end: () => stop(new Error("The call has ended.")) };
}
