import { abortReason, MAX_TIMER_MS } from "@stemma/core/internal";

/**
 * Ends one call: when the caller aborts it, or when nothing happens for too long. Its own controller, since
 * `AbortSignal.any` and `AbortSignal.timeout` are missing on older platforms.
 */
export interface CallTimeout {
	/** Signal to pass to `fetch`. */
	readonly signal: AbortSignal;
	/** Fails the call after so many milliseconds unless disarmed before. Nothing changes where it is armed already. */
	arm(timeoutMs: number, toError: () => Error): void;
	disarm(): void;
	/**
	 * Waits for the promise or the end of the call, whichever is first, and rejects with the reason of the end. One
	 * promise at a time.
	 */
	guard<T>(promise: Promise<T>): Promise<T>;
	/** @throws why the call ended, if it did. */
	throwIfEnded(): void;
	/** Watches no longer; the upstream call may go on. */
	release(): void;
	/** Watches no longer and stops the upstream call. */
	stop(): void;
}

export function createCallTimeout(callerSignal: AbortSignal | undefined): CallTimeout {
	const controller = new AbortController();
	let ended: { readonly reason: unknown } | undefined;
	let onEnd: (reason: unknown) => void = () => undefined;
	let timer: ReturnType<typeof setTimeout> | undefined;

	function abortWith(reason: unknown): void {
		if (ended !== undefined) return;
		ended = { reason };
		onEnd(reason);
		stop();
	}

	const onAbort = (): void => abortWith(callerSignal && abortReason(callerSignal));

	function arm(timeoutMs: number, toError: () => Error): void {
		if (timer !== undefined || timeoutMs > MAX_TIMER_MS) return;
		timer = setTimeout(() => abortWith(toError()), timeoutMs);
	}

	function disarm(): void {
		clearTimeout(timer);
		timer = undefined;
	}

	function guard<T>(promise: Promise<T>): Promise<T> {
		return new Promise((resolve, reject) => {
			promise.then(resolve, reject);
			if (ended === undefined) onEnd = reject;
			else reject(ended.reason);
		});
	}

	function release(): void {
		disarm();
		callerSignal?.removeEventListener("abort", onAbort);
	}

	function stop(): void {
		release();
		controller.abort();
	}

	if (callerSignal?.aborted) onAbort();
	else callerSignal?.addEventListener("abort", onAbort);

	return {
		signal: controller.signal,
		arm,
		disarm,
		guard,
		throwIfEnded() {
			if (ended !== undefined) throw ended.reason;
		},
		release,
		stop,
	};
}

/** Waits, unless the call ends before. */
export function sleep(callTimeout: CallTimeout, milliseconds: number): Promise<void> {
	let timer: ReturnType<typeof setTimeout> | undefined;
	const slept = new Promise<void>((resolve) => {
		timer = setTimeout(resolve, milliseconds);
	});
	return callTimeout.guard(slept).finally(() => clearTimeout(timer));
}
