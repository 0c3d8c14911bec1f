import type { Timeouts } from "./call-options";
import { type Deadline, startDeadline, startTimeout } from "./deadline";
import { whenAborted } from "./platform";

/** What may stop a call before it is done: its caller, or a deadline. */
export interface CallGuard {
	/** For `fetch`; aborts when the call is stopped, and when it ends. */
	readonly signal: AbortSignal;
	/**
	 * Waits for some work, one at a time and within a deadline; rejects with what stopped the call, or how the work failed.
	 *
	 * @param use - makes something of the result: bodies come in many pieces, and another promise for each would cost more.
	 */
	wait<Result, Used = Result>(
		work: Promise<Result>,
		timeout?: "responseMs" | "silenceMs",
		use?: (result: Result) => Used,
	): Promise<Used>;
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
	return new Guard(timeouts, caller, toError);
}

/** A class, as it takes less memory than closures do. */
class Guard implements CallGuard {
	readonly #controller = new AbortController();
	readonly #timeouts: Partial<Timeouts>;
	readonly #toError: (error: unknown) => unknown;
	readonly #total: Deadline | undefined;
	readonly #unlisten: () => void;
	#stopped: { readonly error: unknown } | undefined;
	#onStop: ((error: unknown) => void) | undefined;
	/** Of what is waited for; kept for the next wait of its kind: bodies come in many pieces. */
	#deadline: Deadline | undefined;
	#deadlineName: "responseMs" | "silenceMs" | undefined;

	readonly #stop = (error: unknown): void => {
		this.#stopped ??= { error };
		this.#onStop?.(this.#stopped.error);
		this.#total?.stop();
		this.#deadline?.stop();
		this.#unlisten?.();
		this.#controller.abort();
	};

	constructor(
		timeouts: Partial<Timeouts>,
		caller: AbortSignal | undefined,
		toError: (error: unknown) => unknown,
	) {
		this.#timeouts = timeouts;
		this.#toError = toError;
		this.#total = startTimeout(timeouts, "totalMs", this.#stop);
		this.#unlisten = whenAborted(caller, this.#stop);
	}

	get signal(): AbortSignal {
		return this.#controller.signal;
	}

	wait<Result, Used = Result>(
		work: Promise<Result>,
		timeout?: "responseMs" | "silenceMs",
		// Without it, the one is the other.
		use = (result: Result) => result as unknown as Used,
	): Promise<Used> {
		return new Promise((resolve, reject) => {
			this.#onStop = reject;
			work.then(
				(value) => {
					this.#setSince(Number.POSITIVE_INFINITY);
					resolve(use(value));
				},
				(error) => {
					this.#setSince(Number.POSITIVE_INFINITY);
					reject(this.#toError(error));
				},
			);
			if (this.#stopped !== undefined) reject(this.#stopped.error);
			else if (timeout !== undefined) this.#watch(timeout);
		});
	}

	sleep(milliseconds: number): Promise<void> {
		let timer: Deadline | undefined;
		const slept = new Promise<void>((resolve) => {
			timer = startDeadline(milliseconds, resolve);
		});
		return this.wait(slept).finally(() => timer?.stop());
	}

	end(): void {
		this.#stop(new Error("The call has ended."));
	}

	#watch(name: "responseMs" | "silenceMs"): void {
		if (this.#deadlineName !== name) {
			this.#deadline?.stop();
			this.#deadline = startTimeout(this.#timeouts, name, this.#stop);
			this.#deadlineName = name;
		}
		this.#setSince(Date.now());
	}

	#setSince(since: number): void {
		if (this.#deadline !== undefined) this.#deadline.since = since;
	}
}
