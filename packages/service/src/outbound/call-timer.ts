import { OutboundError } from "./outbound-error";

/** The time that one call has, from its start to the end of its answer. */
export interface CallTimer {
	/** Aborts when the caller's does, with its reason, or when time is up. */
	readonly signal: AbortSignal;
	/** The call is over: time counts no more. */
	end(): void;
}

export function createCallTimer(totalMs: number, callerSignal: AbortSignal | null | undefined): CallTimer {
	const controller = new AbortController();
	const timer = setTimeout(() => controller.abort(toTimeoutError(totalMs)), totalMs);
	// Alone it is no reason for the process to stay.
	timer.unref();
	return {
		signal: callerSignal ? AbortSignal.any([callerSignal, controller.signal]) : controller.signal,
		end: () => clearTimeout(timer),
	};
}

const toTimeoutError = (totalMs: number): OutboundError =>
	new OutboundError(
		"outbound_timeout",
		`The answer was not complete after ${totalMs / 1000} seconds, the maximum.`,
		"Ask for less, or try again later.",
	);
