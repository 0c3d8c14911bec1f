import type { UsageRow } from "@stemma/client";
import type { Payer } from "@stemma/core";

/** Sum of what one payer was charged. */
export type UsageSum = Pick<
	UsageRow,
	"payer" | "calls" | "input_tokens" | "output_tokens" | "cached_tokens" | "estimated_calls"
>;

/** A sum for each payer there is, in the order in which they first occur. */
export function sumUsage(rows: readonly UsageRow[]): UsageSum[] {
	const sums = new Map<Payer, UsageSum>();
	for (const row of rows) sums.set(row.payer, add(sums.get(row.payer), row));
	return [...sums.values()];
}

const add = (sum: UsageSum | undefined, row: UsageRow): UsageSum => ({
	payer: row.payer,
	calls: (sum?.calls ?? 0) + row.calls,
	input_tokens: (sum?.input_tokens ?? 0) + row.input_tokens,
	output_tokens: (sum?.output_tokens ?? 0) + row.output_tokens,
	cached_tokens: (sum?.cached_tokens ?? 0) + row.cached_tokens,
	estimated_calls: (sum?.estimated_calls ?? 0) + row.estimated_calls,
});
