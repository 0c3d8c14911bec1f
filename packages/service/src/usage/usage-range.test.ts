import { describe, expect, it } from "vitest";
import { isDay } from "./day";
import { resolveRange } from "./usage-range";

const now = Date.parse("2026-03-01T00:30:00Z");

describe("the days of a query", () => {
	it.each([
		[{}, { from: "2026-01-30", to: "2026-03-01" }],
		[{ to: "2024-03-10" }, { from: "2024-02-09", to: "2024-03-10" }],
		[{ from: "2026-02-27" }, { from: "2026-02-27", to: "2026-03-01" }],
		[
			{ from: "2026-03-01", to: "2026-03-01" },
			{ from: "2026-03-01", to: "2026-03-01" },
		],
		[
			{ from: "2025-01-01", to: "2026-02-04" },
			{ from: "2025-01-01", to: "2026-02-04" },
		],
	])("%j are %j", (query, range) => {
		expect(resolveRange(query, now)).toEqual(range);
	});

	it.each([
		[{ from: "2026-02-02", to: "2026-02-01" }, '"from" must not be after "to".'],
		[{ from: "2026-03-02" }, '"from" must not be after "to", which is today: 2026-03-01.'],
		[
			{ from: "2025-01-01", to: "2026-02-05" },
			'From "from" to "to" there must be 400 days at most, and there are 401.',
		],
	])("%j are refused", (query, message) => {
		expect(() => resolveRange(query, now)).toThrow(
			expect.objectContaining({ code: "invalid_request", param: "from", message }),
		);
	});
});

it.each([
	["2026-01-31", true],
	["2024-02-29", true],
	["2026-02-29", false],
	["2026-02-31", false],
	["2026-13-01", false],
	["2026-00-10", false],
	["2026-1-31", false],
	["2026-01-31T00:00:00Z", false],
	["1999-12-31", false],
	["+2026-01-31", false],
	["today", false],
	["", false],
])("%j is a day: %s", (text, is) => {
	expect(isDay(text)).toBe(is);
});
