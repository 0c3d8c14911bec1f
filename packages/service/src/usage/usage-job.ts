import type { UsageQuery, UsageRow } from "@stemma/client";
import type { JobFile } from "../store/job-file";
import type { UsageRange } from "./usage-range";

/** Days whose usage is read, of one payer or stage where they are named. */
export type ReadUsageInput = UsageRange & Pick<UsageQuery, "payer" | "stage">;

/** Maximum number of rows of one response. */
export const MAX_USAGE_ROWS = 20_000;

const SELECT_USAGE = `
SELECT day, payer, stage, provider, model, calls, input_tokens, output_tokens, cached_tokens, estimated_calls
FROM usage_days
WHERE day BETWEEN ? AND ? AND payer = coalesce(?, payer) AND stage = coalesce(?, stage)
ORDER BY day, payer, stage, provider, model
LIMIT ${MAX_USAGE_ROWS + 1}`;

/** The sums of some days, the oldest first; one more than an answer may have, where there are more. */
export function selectUsage(file: JobFile, { from, to, payer, stage }: ReadUsageInput): readonly UsageRow[] {
	return file.prepare<UsageRow>(SELECT_USAGE).all(from, to, payer ?? null, stage ?? null);
}
