import { expect, it } from "vitest";
import { checkClock } from "./check-clock";

const NOON = Date.parse("2026-11-29T12:00:00Z");
const HEADER = "Sun, 29 Nov 2026 12:00:00 GMT";

it.each([
	[NOON + 999, "right", undefined],
	[NOON - 29_000, "right", undefined],
	[NOON + 40_000, "40 s ahead", "warning"],
	[NOON - 3_600_000, "3,600 s behind", "error"],
])("compares %i with what a server says: %s", (nowMs, result, severity) => {
	const check = checkClock(HEADER, nowMs);
	expect(check.result).toBe(result);
	expect(check.problem?.severity).toBe(severity);
});

it("says nothing where no server did", () => {
	expect(checkClock(undefined, NOON)).not.toHaveProperty("problem");
});
