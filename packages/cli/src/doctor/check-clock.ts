import { type MachineCheck, toError, toWarning } from "./machine-check";

/** Difference from which AWS refuses signatures, and issuers of sign-ins refuse tokens. */
const MAX_SKEW_MS = 5 * 60_000;
const NOTABLE_SKEW_MS = 30_000;

/**
 * Compares the clock of this machine with that of a server.
 *
 * @param serverDate - `Date` header of its response, which has whole seconds; undefined where nothing responded.
 * @param nowMs - when the response came.
 */
export function checkClock(serverDate: string | undefined, nowMs: number): MachineCheck {
	const serverMs = Date.parse(serverDate ?? "");
	if (Number.isNaN(serverMs)) return { name: "clock", result: "not compared: no vendor was asked" };
	const skewMs = Math.abs(nowMs - serverMs);
	if (skewMs < NOTABLE_SKEW_MS) return { name: "clock", result: "right" };
	const direction = nowMs > serverMs ? "ahead" : "behind";
	const result = `${Math.round(skewMs / 1000).toLocaleString("en-US")} s ${direction}`;
	const problem = {
		code: "clock_wrong",
		message: `The clock of this machine is ${result}.`,
		hint: "Let the system set it (NTP): tokens, signatures and passkeys have times in them.",
	};
	return skewMs >= MAX_SKEW_MS ? toError("clock", result, problem) : toWarning("clock", result, problem);
}
