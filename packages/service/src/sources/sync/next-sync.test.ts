import { expect, it } from "vitest";
import { findNextSync } from "./next-sync";

const MINUTE_MS = 60_000;
const find = (everyMinutes: number | null, failures: number, random = 0.5) =>
	findNextSync({ everyMinutes, failures, now: 1_000, random });

it("is an interval away, twice as far after each failure, up to a day", () => {
	const minutes = [0, 1, 2, 20].map((failures) => ((find(60, failures) ?? 0) - 1_000) / MINUTE_MS);
	expect(minutes).toEqual([60, 120, 240, 24 * 60]);
	expect(find(10_000, 5)).toBe(1_000 + 10_000 * MINUTE_MS);
});

it("varies by a tenth", () => {
	expect([find(10, 0, 0), find(10, 0, 1)]).toEqual([1_000 + 9 * MINUTE_MS, 1_000 + 11 * MINUTE_MS]);
});

it("is never without a schedule", () => expect(find(null, 3)).toBeNull());
