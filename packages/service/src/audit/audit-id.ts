import { getRandomValues } from "node:crypto";
import { createId } from "@stemma/core/internal";

let last = 0;

/** `aud_…`. Each sorts after the one before, also within a millisecond and when the clock is set back. */
export function createAuditId(now: number): string {
	last = Math.max(now, last + 1);
	return createId("aud", last, getRandomValues(new Uint8Array(10)));
}
