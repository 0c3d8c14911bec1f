import type { Timeouts } from "../options/call-options";
import { type IdleTimer, startIdleTimer, startTimeout } from "./idle-timer";
import { whenAborted } from "./platform";

/** Limit of a call: its caller's signal, or a timeout. */
export interface CallTimeout {
	/** Signal for `fetch`; aborts when the call is stopped, and when it ends. */
	readonly signal: AbortSignal;
	/**
	 * Waits for some work, one at a time and within a deadline; rejects with what stopped the call, or how the work failed.
	 *
	 * @param map - makes something of the result: bodies come in many pieces, and another promise for each would cost more.
	 */
	wait<Result, Mapped = Result>(
		work: Promise<Result>,
		timeout?: "headersTimeoutMs" | "idleTimeoutMs",
		map?: (result: Result) => Mapped,
	): Promise<Mapped>;
	sleep(milliseconds: number): Promise<void>;
	/** Lets go of timers, listeners and the connection. */
	end(): void;
}

/**
 * `fetch` rejects differently on each platform when it is aborted, and some do not heed the signal: this does not rely
 * on it.
 *
 * @param toError - what to reject with where the work itself fails.
 */
export function createCallTimeout(
	timeouts: Partial<Timeouts>,
	callerSignal: AbortSignal | undefined,
	toError = (error: unknown): unknown => error,
): CallTimeout {
	return new RunningCallTimeout(timeouts, callerSignal, toError);
}

/** A class, as it takes less memory than closures do. */
class RunningCallTimeout implements CallTimeout {
	readonly #controller = new AbortController();
	readonly #timeouts: Partial<Timeouts>;
	readonly #toError: (error: unknown) => unknown;
	readonly #totalTimer: IdleTimer | undefined;
	readonly #removeAbortListener: () => void;
	#stopped: { readonly error: unknown } | undefined;
	#onStop: ((error: unknown) => void) | undefined;
	/** Timer of the current wait. It is reused by the next wait of its kind, because bodies come in many pieces. */
	#timer: IdleTimer | undefined;
	#timerName: "headersTimeoutMs" | "idleTimeoutMs" | undefined;

	readonly #stop = (error: unknown): void => {
		this.#stopped ??= { error };
		this.#onStop?.(this.#stopped.error);
		this.#totalTimer?.stop();
		this.#timer?.stop();
		this.#removeAbortListener?.();
		this.#controller.abort();
	};

	constructor(
		timeouts: Partial<Timeouts>,
		callerSignal: AbortSignal | undefined,
		toError: (error: unknown) => unknown,
	) {
		this.#timeouts = timeouts;
		this.#toError = toError;
		this.#totalTimer = startTimeout(timeouts, "timeoutMs", this.#stop);
		this.#removeAbortListener = whenAborted(callerSignal, this.#stop);
	}

	get signal(): AbortSignal {
		return this.#controller.signal;
	}

	wait<Result, Mapped = Result>(
		work: Promise<Result>,
		timeout?: "headersTimeoutMs" | "idleTimeoutMs",
		// Without it, the one is the other.
		map = (result: Result) => result as unknown as Mapped,
	): Promise<Mapped> {
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
			timer = startIdleTimer(milliseconds, resolve);
		});
		return this.wait(slept).finally(() => timer?.stop());
	}

	end(): void {
		this.#stop(new Error("The call has ended."));
	}

	#startTimer(name: "headersTimeoutMs" | "idleTimeoutMs"): void {
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
