import type { UsageRow } from "@stemma/client";
import type { ReadUsageInput } from "../../../usage/usage-repository";
import type { JobFile } from "../../job-file";

const COLUMNS =
	"day, payer, stage, provider, model, calls, input_tokens, output_tokens, cached_tokens, estimated_calls";
const FILTER = "WHERE day BETWEEN ? AND ? AND payer = coalesce(?, payer) AND stage = coalesce(?, stage)";

const SELECT_USAGE = `
SELECT ${COLUMNS} FROM usage_days ${FILTER}
ORDER BY day, payer, stage, provider, model
LIMIT ?`;

const SELECT_USER_USAGE = `
SELECT ${COLUMNS}, nullif(user_id, '') AS user_id FROM usage_user_days ${FILTER} AND user_id = coalesce(?, user_id)
ORDER BY day, user_id, payer, stage, provider, model
LIMIT ?`;

/** Sums to select, at most `limit`. */
export interface SelectUsageInput extends ReadUsageInput {
	readonly limit: number;
}

/** Selects the sums of some days, the oldest first. */
export function selectUsage(file: JobFile, input: SelectUsageInput): readonly UsageRow[] {
	const { from, to, payer, stage, limit, group_by: groupBy, user_id: userId } = input;
	const filter = [from, to, payer ?? null, stage ?? null] as const;
	if (groupBy === undefined && userId === undefined)
		return file.prepare<UsageRow>(SELECT_USAGE).all(...filter, limit);
	const rows = file.prepare<UsageRow>(SELECT_USER_USAGE).all(...filter, userId ?? null, limit);
	// The rows of one user are apart by nothing else.
	return groupBy === undefined ? rows.map(({ user_id: _, ...row }) => row) : rows;
}
