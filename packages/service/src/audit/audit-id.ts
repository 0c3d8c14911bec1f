import { getRandomValues } from "node:crypto";
import { createId } from "@stemma/core/internal";

let lastTime = 0;

/** `aud_…`. Each sorts after the one before, also within a millisecond and when the clock is set back. */
export function createAuditId(now: number): string {
	lastTime = Math.max(now, lastTime + 1);
	return createId("aud", lastTime, getRandomValues(new Uint8Array(10)));
}
