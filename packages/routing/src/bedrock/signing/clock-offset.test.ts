import { afterEach, describe, expect, it, vi } from "vitest";
import { readClockOffset } from "./clock-offset";

afterEach(() => {
	vi.restoreAllMocks();
});
const NOW = Date.UTC(2026, 10, 21, 12);
const HOUR_MS = 3_600_000;
const readAt = (date: string | null): number | undefined => {
	vi.spyOn(Date, "now").mockReturnValue(NOW);
	return readClockOffset(date);
};

describe("another clock", () => {
	it.each([0, HOUR_MS, -HOUR_MS, 23 * HOUR_MS, -23 * HOUR_MS])("is %i ms ahead", (offsetMs) => {
		expect(readAt(new Date(NOW + offsetMs).toUTCString())).toBe(offsetMs);
	});

	it.each([
		null,
		"",
		"soon",
		"+275760-09-13T00:00:00.000Z",
		"2026-11-21T13:00:00Z",
		"21 Nov 2026 13:00:00 GMT",
		"Sat, 21 Nov 2026 13:00:00 +0000",
		"Sat, 21 Nov 2026 99:00:00 GMT",
		"Saturday, 21-Nov-26 13:00:00 GMT",
		"Sun, 22 Nov 2026 12:00:00 GMT",
		"Fri, 20 Nov 2026 12:00:00 GMT",
		"Sat, 01 Jan 9999 00:00:00 GMT",
	])("is not told by %j", (date) => {
		expect(readAt(date)).toBeUndefined();
	});
});
