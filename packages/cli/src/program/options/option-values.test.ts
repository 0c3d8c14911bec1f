import { expect, it } from "vitest";
import { parseDay } from "./option-values";

it("takes days of the calendar", () => {
	expect(parseDay("2024-02-29")).toBe("2024-02-29");
});

it.each(["2026-02-29", "2026-04-31", "2026-13-01", "2026-1-1", "yesterday", "2026-01-01T00:00:00Z", ""])(
	"refuses %o",
	(text) => {
		expect(() => parseDay(text)).toThrow("Expected a day");
	},
);
