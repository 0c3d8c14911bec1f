import type { ReceiptRow } from "@stemma/core";
import { describe, expect, it } from "vitest";
import { toPriceList } from "../configuration/prices-schema";
import { computeCost } from "./price-list";

const list = toPriceList({
	currency: "EUR",
	models: [
		{ model: "large", input: "2.50", output: "10", cached_input: "1.25" },
		{ model: "large", vendor_host: "cheap.example", input: "1", output: "2" },
		{ model: "tiny", input: "0.000001", output: "0.000499" },
		{ model: "judge", input: "0", output: "0", call: "0.002" },
	],
});
const row: ReceiptRow = {
	...{ stage: "answer", payer: "deployment", provider: "openai-compatible", vendor_host: "api.example" },
	...{ model: "large", input_tokens: 1000, output_tokens: 100, ms: 5, attempts: 1, reason: "" },
};
const costOf = (more: Partial<ReceiptRow>) => computeCost(list, { ...row, ...more })?.amount;

describe("the cost of a call", () => {
	it("is that of its tokens, with the price of cached ones", () => {
		expect(computeCost(list, row)).toEqual({ currency: "EUR", amount: "0.0035" });
		expect(costOf({ cached_tokens: 400 })).toBe("0.003");
		// Never more than there were.
		expect(costOf({ cached_tokens: 5000 })).toBe("0.00225");
		// Cached tokens without a price of their own cost what others cost.
		expect(costOf({ vendor_host: "cheap.example", cached_tokens: 400 })).toBe("0.0012");
		expect(costOf({ model: "judge" })).toBe("0.002");
	});

	it("is rounded half up to nine decimals, and is an amount whatever a vendor reports", () => {
		expect(costOf({ model: "tiny", input_tokens: 1, output_tokens: 1 })).toBe("0.000000001");
		expect(costOf({ model: "tiny", input_tokens: 499, output_tokens: 0 })).toBe("0");
		expect(costOf({ input_tokens: 0.4, output_tokens: -5 })).toBe("0");
		expect(costOf({ input_tokens: 1e300, output_tokens: Number.NaN })).toBe("2500");
	});

	it("is unknown without a price, and where nobody pays", () => {
		expect(costOf({ model: "other" })).toBeUndefined();
		expect(costOf({ payer: "none" })).toBeUndefined();
		expect(computeCost(undefined, row)).toBeUndefined();
	});
});
