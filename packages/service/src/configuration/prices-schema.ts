import * as z from "zod";
import type { PriceList } from "../pricing/price-list";

const MAX_PRICES = 1000;
const DECIMALS = 6;

/** Amount as text: a number of JSON would be rounded to what a computer can hold. */
const amount = z.string().regex(/^\d{1,6}(\.\d{1,6})?$/, {
	error: 'must be an amount in quotation marks, such as "2.50", with at most 6 decimals',
});

const modelPrice = z.strictObject({
	model: z.string().min(1).max(200),
	vendor_host: z.string().min(1).max(300).optional(),
	input: amount,
	output: amount,
	cached_input: amount.optional(),
	call: amount.optional(),
});

/** Schema of the prices of models: for a million tokens each, and for a call. */
export const pricesSchema = z
	.strictObject({
		currency: z.string().regex(/^[A-Z]{3}$/, {
			error: 'must be the code of a currency in capitals, such as "EUR"',
		}),
		models: z.array(modelPrice).min(1).max(MAX_PRICES),
	})
	.superRefine(({ models }, context) => {
		const known = new Set<string>();
		for (const [index, { model, vendor_host = "" }] of models.entries()) {
			const key = JSON.stringify([model, vendor_host]);
			if (known.has(key))
				context.addIssue({
					code: "custom",
					path: ["models", index, "model"],
					message: "has a price already: give each model one price, or one for each vendor_host",
				});
			known.add(key);
		}
	});

export type PricesFile = z.output<typeof pricesSchema>;

/** Prices that were checked, as the service takes them. */
export const toPriceList = ({ currency, models }: PricesFile): PriceList => ({
	currency,
	models: models.map(({ model, vendor_host, input, output, cached_input = input, call = "0" }) => ({
		model,
		...(vendor_host !== undefined && { vendorHost: vendor_host }),
		input: toMillionths(input),
		output: toMillionths(output),
		cachedInput: toMillionths(cached_input),
		call: toMillionths(call),
	})),
});

/** Prices as their file has them, defaults written out. */
export const printPrices = ({ currency, models }: PriceList): PricesFile => ({
	currency,
	models: models.map((price) => ({
		model: price.model,
		...toVendorHost(price.vendorHost),
		...toAmounts(price),
	})),
});

const toVendorHost = (vendorHost: string | undefined): { readonly vendor_host?: string } =>
	vendorHost === undefined ? {} : { vendor_host: vendorHost };

/** Amounts of a price as decimal numbers. */
export const toAmounts = ({
	input,
	output,
	cachedInput,
	call,
}: Omit<PriceList["models"][number], "model">) => ({
	input: fromMillionths(input),
	output: fromMillionths(output),
	cached_input: fromMillionths(cachedInput),
	call: fromMillionths(call),
});

function toMillionths(text: string): bigint {
	const [whole = "", decimals = ""] = text.split(".");
	return BigInt(whole + decimals.padEnd(DECIMALS, "0"));
}

function fromMillionths(millionths: bigint): string {
	const digits = String(millionths).padStart(DECIMALS + 1, "0");
	const decimals = digits.slice(-DECIMALS).replace(/0+$/, "");
	return digits.slice(0, -DECIMALS) + (decimals === "" ? "" : `.${decimals}`);
}
