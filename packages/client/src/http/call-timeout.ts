import type { Timeouts } from "../options/call-options";
import { IdleTimer, startTimeout } from "./idle-timer";
import { whenAborted } from "./platform";

type WaitTimeoutName = "headersTimeoutMs" | "idleTimeoutMs";

/**
 * Limit of a call: its caller's signal, or a timeout. `fetch` rejects differently on each platform when it is aborted, and
 * some do not heed the signal: this does not rely on it.
 */
export class CallTimeout {
	readonly #controller = new AbortController();
	readonly #timeouts: Partial<Timeouts>;
	readonly #toError: (error: unknown) => unknown;
	readonly #totalTimer: IdleTimer | undefined;
	readonly #removeAbortListener: () => void;
	#stopped: { readonly error: unknown } | undefined;
	#onStop: ((error: unknown) => void) | undefined;
	/** Timer of the current wait. It is reused by the next wait of its kind, because bodies come in many pieces. */
	#timer: IdleTimer | undefined;
	#timerName: WaitTimeoutName | undefined;

	readonly #stop = (error: unknown): void => {
		this.#stopped ??= { error };
		this.#onStop?.(this.#stopped.error);
		this.#totalTimer?.stop();
		this.#timer?.stop();
		this.#removeAbortListener?.();
		this.#controller.abort();
	};

	/** @param toError - what to reject with where the work itself fails. */
	constructor(
		timeouts: Partial<Timeouts>,
		callerSignal: AbortSignal | undefined,
		toError = (error: unknown): unknown => error,
	) {
		this.#timeouts = timeouts;
		this.#toError = toError;
		this.#totalTimer = startTimeout(timeouts, "timeoutMs", this.#stop);
		this.#removeAbortListener = whenAborted(callerSignal, this.#stop);
	}

	/** Signal for `fetch`; aborts when the call is stopped, and when it ends. */
	get signal(): AbortSignal {
		return this.#controller.signal;
	}

	/**
	 * Waits for some work, one at a time and within a deadline; rejects with what stopped the call, or how the work failed.
	 *
	 * @param map - makes something of the result: bodies come in many pieces, and another promise for each would cost more.
	 */
	wait<Result>(work: Promise<Result>, timeout?: WaitTimeoutName): Promise<Result>;
	wait<Result, Mapped>(
		work: Promise<Result>,
		timeout: WaitTimeoutName,
		map: (result: Result) => Mapped,
	): Promise<Mapped>;
	wait(
		work: Promise<unknown>,
		timeout?: WaitTimeoutName,
		map = (result: unknown) => result,
	): Promise<unknown> {
		return new Promise((resolve, reject) => {
			this.#onStop = reject;
			work.then(
				(value) => {
					this.#setLastActivityAt(Number.POSITIVE_INFINITY);
					resolve(map(value));
				},
				(error) => {
					this.#setLastActivityAt(Number.POSITIVE_INFINITY);
					reject(this.#toError(error));
				},
			);
			if (this.#stopped !== undefined) reject(this.#stopped.error);
			else if (timeout !== undefined) this.#startTimer(timeout);
		});
	}

	sleep(milliseconds: number): Promise<void> {
		let timer: IdleTimer | undefined;
		const slept = new Promise<void>((resolve) => {
			timer = new IdleTimer(milliseconds, resolve);
		});
		return this.wait(slept).finally(() => timer?.stop());
	}

	/** Lets go of timers, listeners and the connection. */
	end(): void {
		this.#stop(new Error("The call has ended."));
	}

	#startTimer(name: WaitTimeoutName): void {
		if (this.#timerName !== name) {
			this.#timer?.stop();
			this.#timer = startTimeout(this.#timeouts, name, this.#stop);
			this.#timerName = name;
		}
		this.#setLastActivityAt(Date.now());
	}

	#setLastActivityAt(lastActivityAt: number): void {
		if (this.#timer !== undefined) this.#timer.lastActivityAt = lastActivityAt;
	}
}

/** Runs some work within a call timeout, which ends with it. */
export async function runWithTimeout<Result>(
	timeouts: Partial<Timeouts>,
	signal: AbortSignal | undefined,
	work: (callTimeout: CallTimeout) => Promise<Result>,
): Promise<Result> {
	const callTimeout = new CallTimeout(timeouts, signal);
	try {
		return await work(callTimeout);
	} finally {
		callTimeout.end();
	}
}
