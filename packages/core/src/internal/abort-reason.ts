/** Value that a call rejects with when its signal is aborted: the signal's reason, else an `Error` named `AbortError`. */
export function abortReason(signal: AbortSignal): unknown {
	if (signal.reason !== undefined) return signal.reason;
	const error = new Error("The call was aborted.");
	error.name = "AbortError";
	return error;
}
