import type { Cost, ReceiptRow } from "@stemma/core";
import { fromNanoUnits } from "@stemma/core/internal";
import { toTokenCount } from "../usage/token-count";

/** Prices of models, as the operator states them. None are built in. */
export interface PriceList {
	/** Code of the currency of all prices, such as `EUR`. */
	readonly currency: string;
	readonly models: readonly ModelPrice[];
}

/** Price of one model. Amounts are millionths of the currency. */
export interface ModelPrice {
	/** The model as its endpoint names it. */
	readonly model: string;
	/** Host of the endpoint; a price with it counts before one without. Default: any. */
	readonly vendorHost?: string | undefined;
	/** Price of a million input tokens that were not cached. */
	readonly input: bigint;
	/** Price of a million output tokens. */
	readonly output: bigint;
	/** Price of a million cached input tokens. */
	readonly cachedInput: bigint;
	/** Price of each call, besides its tokens. */
	readonly call: bigint;
}

/** Largest cost of one call, in billionths of the currency: a vendor may report any number of tokens. */
const MAX_NANO_UNITS = 1_000_000_000_000_000n;

/** Finds the price of a model. */
export function findPrice(
	list: PriceList | undefined,
	{ model, vendor_host }: Pick<ReceiptRow, "model" | "vendor_host">,
): ModelPrice | undefined {
	const prices = list?.models.filter((price) => price.model === model) ?? [];
	return (
		prices.find(({ vendorHost }) => vendorHost === vendor_host) ??
		prices.find(({ vendorHost }) => vendorHost === undefined)
	);
}

/**
 * Computes the cost of a call from its tokens, rounded half up to a billionth of the currency. `undefined` where its model
 * has no price, or nobody pays.
 */
export function computeCost(list: PriceList | undefined, row: ReceiptRow): Cost | undefined {
	const price = row.payer === "none" ? undefined : findPrice(list, row);
	if (list === undefined || price === undefined) return undefined;
	const input = BigInt(toTokenCount(row.input_tokens));
	const output = BigInt(toTokenCount(row.output_tokens));
	const reported = BigInt(toTokenCount(row.cached_tokens));
	const cached = reported > input ? input : reported;
	// A price in millionths is for a million tokens, so this is in millionths of millionths.
	const tokens = (input - cached) * price.input + cached * price.cachedInput + output * price.output;
	const nanoUnits = (tokens + 500n) / 1000n + price.call * 1000n;
	return {
		currency: list.currency,
		amount: fromNanoUnits(nanoUnits > MAX_NANO_UNITS ? MAX_NANO_UNITS : nanoUnits),
	};
}
