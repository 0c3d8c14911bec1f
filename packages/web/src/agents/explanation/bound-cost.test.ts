import type { ResolvedNodeModel } from "@stemma/client";
import { expect, it } from "vitest";
import { boundCost } from "./bound-cost";

const price = { currency: "EUR", input: "2.5", output: "10", cached_input: "1.25", call: "0" };
const model = (more: Partial<ResolvedNodeModel> = {}): ResolvedNodeModel => ({
	...{ node: "desk", provider: "openai-compatible", model: "large", vendor_host: "api.example" },
	...{ payer: "deployment", reason: "", price },
	...more,
});

it("takes all tokens at the highest price, and each call", () => {
	const cheap = model({ price: { ...price, output: "1", call: "0.002" } });
	expect(boundCost([cheap, model()], { maxTokens: 5000, maxCalls: 10 })).toEqual({
		currency: "EUR",
		amount: "0.07",
	});
	expect(
		boundCost([model({ price: { ...price, output: "0.000001", input: "0", cached_input: "0" } })], {
			maxTokens: 1,
			maxCalls: 1,
		})?.amount,
	).toBe("0.000000001");
});

it("tells nothing where tokens have no limit, a model has no price, or nobody pays", () => {
	const { price: _, ...unpriced } = model();
	expect(boundCost([model()], { maxTokens: undefined, maxCalls: 1 })).toBeUndefined();
	expect(boundCost([model(), unpriced], { maxTokens: 10, maxCalls: 1 })).toBeUndefined();
	expect(boundCost([model({ payer: "none" })], { maxTokens: 10, maxCalls: 1 })).toBeUndefined();
});
