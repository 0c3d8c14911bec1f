import type { UsageRow } from "@stemma/client";
import { type RawBuilder, sql } from "kysely";
import { type SelectedUsageRow, type SelectUsageInput, toUsageRow } from "../../sqlite/usage/usage-job";
import { ownRows } from "../own-rows-plugin";
import type { PostgresJob } from "../postgres-job";

const COLUMNS = sql.raw(
	"day, payer, stage, provider, model, calls, input_tokens, output_tokens, cached_tokens, estimated_calls",
);

/** Costs of the calls of a row: currency, calls and billionths, of which a sum may be no safe whole number. */
const selectCosts = (condition: RawBuilder<unknown>) => sql`(
	SELECT coalesce(json_agg(json_build_array(currency, calls, nano_units) ORDER BY currency), '[]')::text FROM (
		SELECT currency, sum(costs.calls) AS calls, sum(nano_units)::text AS nano_units
		FROM usage_costs AS costs
		WHERE (costs.day, costs.payer, costs.stage, costs.provider, costs.model)
			= (sums.day, sums.payer, sums.stage, sums.provider, sums.model) AND ${ownRows("costs")} ${condition}
		GROUP BY currency
	) AS summed
) AS costs`;

const selectRows = ({ from, to, payer, stage }: SelectUsageInput) =>
	sql`${ownRows("sums")} AND day BETWEEN ${from} AND ${to}
		${payer === undefined ? sql`` : sql`AND payer = ${payer}`}
		${stage === undefined ? sql`` : sql`AND stage = ${stage}`}`;

const selectDays = (input: SelectUsageInput) => sql<SelectedUsageRow>`
	SELECT ${COLUMNS}, ${selectCosts(sql``)} FROM usage_days AS sums
	WHERE ${selectRows(input)}
	ORDER BY day, payer, stage, provider, model
	LIMIT ${input.limit}`;

const selectUserDays = (input: SelectUsageInput) => sql<SelectedUsageRow>`
	SELECT ${COLUMNS}, nullif(user_id, '') AS user_id, ${selectCosts(sql`AND costs.user_id = sums.user_id`)}
	FROM usage_user_days AS sums
	WHERE ${selectRows(input)} ${input.user_id === undefined ? sql`` : sql`AND user_id = ${input.user_id}`}
	ORDER BY day, sums.user_id, payer, stage, provider, model
	LIMIT ${input.limit}`;

/** Selects the sums of some days, the oldest first. */
export const selectUsage: PostgresJob<SelectUsageInput, readonly UsageRow[]> = async (transaction, input) => {
	const { group_by: groupBy, user_id: userId } = input;
	const isByUser = groupBy !== undefined || userId !== undefined;
	const { rows } = await (isByUser ? selectUserDays(input) : selectDays(input)).execute(transaction);
	const usage = rows.map(toUsageRow);
	// The rows of one user are apart by nothing else.
	return isByUser && groupBy === undefined ? usage.map(({ user_id: _, ...row }) => row) : usage;
};
