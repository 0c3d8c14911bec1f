import type { ReceiptRow } from "@stemma/core";
import { toNanoUnits } from "@stemma/core/internal";
import type { LoggedReceipt } from "@stemma/runs";
import { toDay } from "../../../usage/day";
import { toTokenCount } from "../../../usage/token-count";
import type { UsageCostRow, UsageUserDayRow } from "../../sqlite/usage/usage-tables";

/** Cost of one receipt; a sum of costs may be no safe whole number. */
export type ReceiptCost = Omit<UsageCostRow, "calls" | "nano_units"> & { readonly nano_units: bigint };

/** Share of one receipt in the sums of its day. */
export interface ReceiptUsage {
	readonly usage: UsageUserDayRow;
	/** Left out where the call has no price. */
	readonly cost?: ReceiptCost;
}

/** Largest sum of one row of costs, in billionths of the currency: JavaScript has it as a whole number. */
export const MAX_NANO_UNITS = 9_000_000_000_000_000n;

/** Reads what a receipt adds to the sums of its day. */
export function readReceiptUsage({ at, userId = "", receipt }: LoggedReceipt): ReceiptUsage {
	// What the service wrote is trusted, and not checked again.
	const row = JSON.parse(receipt) as ReceiptRow;
	const { payer, stage, provider, model, estimated = false, cost } = row;
	const group = { day: toDay(at), payer, stage, provider, model, user_id: userId };
	return {
		usage: {
			...group,
			calls: 1,
			input_tokens: toTokenCount(row.input_tokens),
			output_tokens: toTokenCount(row.output_tokens),
			cached_tokens: toTokenCount(row.cached_tokens),
			estimated_calls: estimated ? 1 : 0,
		},
		...(cost !== undefined && {
			cost: { ...group, currency: cost.currency, nano_units: toNanoUnits(cost.amount) },
		}),
	};
}
