/** Amount of money, exact to nine decimals. A type and no interface, so that it is JSON for the compiler, too. */
export type Cost = {
	/** Code of the currency, such as `EUR` (ISO 4217). */
	readonly currency: string;
	/** Decimal number, such as `0.00125`. */
	readonly amount: string;
};

const DECIMALS = 9;

/** Adds up amounts, one sum for each currency in the order of their codes. Nothing is rounded. */
export function sumCosts(costs: readonly Cost[]): readonly Cost[] {
	const sums = new Map<string, bigint>();
	for (const { currency, amount } of costs)
		sums.set(currency, (sums.get(currency) ?? 0n) + toNanoUnits(amount));
	return [...sums]
		.sort(([a], [b]) => (a < b ? -1 : 1))
		.map(([currency, sum]) => ({ currency, amount: fromNanoUnits(sum) }));
}

/** Converts an amount to billionths of the currency; further decimals are cut. @throws SyntaxError for what is no amount. */
export function toNanoUnits(amount: string): bigint {
	const [whole = "", decimals = ""] = amount.split(".");
	return BigInt(whole + decimals.slice(0, DECIMALS).padEnd(DECIMALS, "0"));
}

/** Converts billionths of a currency to an amount. @param sum - 0 or more. */
export function fromNanoUnits(sum: bigint): string {
	const digits = String(sum).padStart(DECIMALS + 1, "0");
	const decimals = digits.slice(-DECIMALS).replace(/0+$/, "");
	return digits.slice(0, -DECIMALS) + (decimals === "" ? "" : `.${decimals}`);
}
