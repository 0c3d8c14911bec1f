/** Value that a call rejects with when its signal is aborted: the signal's reason, else an `Error` named `AbortError`. */
export const abortReason = (signal: AbortSignal): unknown =>
	signal.reason ?? Object.assign(new Error("The call was aborted."), { name: "AbortError" });
