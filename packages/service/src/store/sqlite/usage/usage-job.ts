import type { UsageRow } from "@stemma/client";
import type { ReadUsageInput } from "../../../usage/usage-repository";
import type { JobFile } from "../../job-file";

const SELECT_USAGE = `
SELECT day, payer, stage, provider, model, calls, input_tokens, output_tokens, cached_tokens, estimated_calls
FROM usage_days
WHERE day BETWEEN ? AND ? AND payer = coalesce(?, payer) AND stage = coalesce(?, stage)
ORDER BY day, payer, stage, provider, model
LIMIT ?`;

/** Sums to select, at most `limit`. */
export interface SelectUsageInput extends ReadUsageInput {
	readonly limit: number;
}

/** Selects the sums of some days, the oldest first. */
export const selectUsage = (
	file: JobFile,
	{ from, to, payer, stage, limit }: SelectUsageInput,
): readonly UsageRow[] =>
	file.prepare<UsageRow>(SELECT_USAGE).all(from, to, payer ?? null, stage ?? null, limit);
