import { describe, expect, it } from "vitest";
import { fromNanoUnits, sumCosts, toNanoUnits } from "./cost";

describe("sumCosts", () => {
	it("adds amounts as decimal numbers, where floating point would drift", () => {
		const cents = Array.from({ length: 10 }, () => ({ currency: "EUR", amount: "0.1" }));
		expect(sumCosts(cents)).toEqual([{ currency: "EUR", amount: "1" }]);
		expect(
			sumCosts([
				{ currency: "USD", amount: "9000000.000000001" },
				{ currency: "EUR", amount: "0.2" },
				{ currency: "USD", amount: "0.000000002" },
			]),
		).toEqual([
			{ currency: "EUR", amount: "0.2" },
			{ currency: "USD", amount: "9000000.000000003" },
		]);
		expect(sumCosts([])).toEqual([]);
	});

	it.each([
		["0", 0n],
		["12", 12_000_000_000n],
		["0.000000001", 1n],
		["1.5", 1_500_000_000n],
	])("reads and writes %s", (amount, nano) => {
		expect(toNanoUnits(amount)).toBe(nano);
		expect(fromNanoUnits(nano)).toBe(amount);
	});
});
