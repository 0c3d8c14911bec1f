import type { ResolvedNodeModel } from "@stemma/client";
import type { Cost } from "@stemma/core";
import { fromNanoUnits, toNanoUnits } from "@stemma/core/internal";

/** Limits of a run. */
export interface RunBound {
	/** Default: no limit. */
	readonly maxTokens: number | undefined;
	/** Largest number of model turns. */
	readonly maxCalls: number;
}

const MILLION = 1_000_000n;

/**
 * Most that the model turns of a run cost: all tokens at the highest of the stated prices. `undefined` where nothing
 * limits the tokens, where somebody pays for a model without a price, and where nobody pays for any.
 */
export function boundCost(
	models: readonly ResolvedNodeModel[],
	{ maxTokens, maxCalls }: RunBound,
): Cost | undefined {
	const prices = models.filter(({ payer }) => payer !== "none").map(({ price }) => price);
	const [first] = prices;
	if (maxTokens === undefined || first === undefined) return undefined;
	let perMillion = 0n;
	let perCall = 0n;
	for (const price of prices) {
		if (price === undefined) return undefined;
		for (const amount of [price.input, price.output, price.cached_input])
			perMillion = max(perMillion, toNanoUnits(amount));
		perCall = max(perCall, toNanoUnits(price.call));
	}
	const tokens = (perMillion * BigInt(maxTokens) + MILLION - 1n) / MILLION;
	return { currency: first.currency, amount: fromNanoUnits(tokens + perCall * BigInt(maxCalls)) };
}

const max = (a: bigint, b: bigint): bigint => (a > b ? a : b);
