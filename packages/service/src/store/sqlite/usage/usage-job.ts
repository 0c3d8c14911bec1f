import type { UsageRow } from "@stemma/client";
import { fromNanoUnits } from "@stemma/core/internal";
import type { ReadUsageInput } from "../../../usage/usage-repository";
import type { JobFile } from "../../job-file";

const COLUMNS =
	"day, payer, stage, provider, model, calls, input_tokens, output_tokens, cached_tokens, estimated_calls";
const FILTER = "WHERE day BETWEEN ? AND ? AND payer = coalesce(?, payer) AND stage = coalesce(?, stage)";

/** Costs of the calls of a row: currency, calls and billionths, of which a sum may be no safe whole number. */
const selectCosts = (table: string, condition: string): string => `(
	SELECT json_group_array(json_array(currency, calls, nano_units)) FROM (
		SELECT currency, sum(calls) AS calls, CAST(sum(nano_units) AS TEXT) AS nano_units
		FROM usage_costs AS costs
		WHERE (costs.day, costs.payer, costs.stage, costs.provider, costs.model)
			= (${table}.day, ${table}.payer, ${table}.stage, ${table}.provider, ${table}.model) ${condition}
		GROUP BY currency
	)
) AS costs`;

const SELECT_USAGE = `
SELECT ${COLUMNS}, ${selectCosts("usage_days", "")} FROM usage_days ${FILTER}
ORDER BY day, payer, stage, provider, model
LIMIT ?`;

const SELECT_USER_USAGE = `
SELECT ${COLUMNS}, nullif(user_id, '') AS user_id,
	${selectCosts("usage_user_days", "AND costs.user_id = usage_user_days.user_id")}
FROM usage_user_days ${FILTER} AND user_id = coalesce(?, user_id)
ORDER BY day, usage_user_days.user_id, payer, stage, provider, model
LIMIT ?`;

/** Row with its costs as JSON. */
export type SelectedUsageRow = Omit<UsageRow, "costs"> & { readonly costs: string };

/** Sums to select, at most `limit`. */
export interface SelectUsageInput extends ReadUsageInput {
	readonly limit: number;
}

/** Selects the sums of some days, the oldest first. */
export function selectUsage(file: JobFile, input: SelectUsageInput): readonly UsageRow[] {
	const { from, to, payer, stage, limit, group_by: groupBy, user_id: userId } = input;
	const filter = [from, to, payer ?? null, stage ?? null] as const;
	if (groupBy === undefined && userId === undefined)
		return file
			.prepare<SelectedUsageRow>(SELECT_USAGE)
			.all(...filter, limit)
			.map(toUsageRow);
	const rows = file
		.prepare<SelectedUsageRow>(SELECT_USER_USAGE)
		.all(...filter, userId ?? null, limit)
		.map(toUsageRow);
	// The rows of one user are apart by nothing else.
	return groupBy === undefined ? rows.map(({ user_id: _, ...row }) => row) : rows;
}

/** Row with its costs, where it has any. */
export function toUsageRow({ costs: json, ...row }: SelectedUsageRow): UsageRow {
	const costs = JSON.parse(json) as [currency: string, calls: number, nanoUnits: string][];
	if (costs.length === 0) return row;
	return {
		...row,
		costs: costs.map(([currency, calls, nanoUnits]) => ({
			currency,
			amount: fromNanoUnits(BigInt(nanoUnits)),
			calls,
		})),
	};
}
