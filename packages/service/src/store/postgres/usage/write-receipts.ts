import type { LoggedReceipt } from "@stemma/runs";
import { type RawBuilder, sql, type Transaction } from "kysely";
import { MAX_NANO_UNITS, type ReceiptUsage, readReceiptUsage } from "../../repositories/usage/receipt-usage";
import type { WorkspaceTables } from "../../workspace-tables";

/** Columns of what is summed, in the order of {@link toColumns}. */
const COLUMNS = sql.raw(
	"id, run_id, created_at, receipt, person, day, payer, stage, provider, model, user_id, input_tokens, output_tokens, cached_tokens, estimated_calls, currency, nano_units",
);

/** Columns that make a row of sums, and those that it sums. */
const GROUP = sql.raw("day, payer, stage, provider, model");
const COUNTS = sql.raw("calls, input_tokens, output_tokens, cached_tokens, estimated_calls");
const SUMS = sql.raw(
	"count(*), sum(input_tokens), sum(output_tokens), sum(cached_tokens), sum(estimated_calls)",
);
const ADD_TO_SUMS = sql.raw(
	["calls", "input_tokens", "output_tokens", "cached_tokens", "estimated_calls"]
		.map((column) => `${column} = sums.${column} + excluded.${column}`)
		.join(", "),
);

/**
 * Writes receipts and adds them to the sums of their days, in the caller's transaction and in one statement. Those that are
 * there are left.
 */
export async function writeReceipts(
	transaction: Transaction<WorkspaceTables>,
	receipts: readonly LoggedReceipt[],
): Promise<void> {
	const unique = [...new Map(receipts.map((receipt) => [receipt.id, receipt])).values()];
	await sql`
		WITH logged AS (SELECT * FROM unnest(${sql.join(toColumns(unique))}) AS logged (${COLUMNS})),
		stored AS (
			INSERT INTO receipts (id, run_id, created_at, receipt, user_id)
			SELECT id, run_id, created_at, receipt, person FROM logged
			ON CONFLICT DO NOTHING RETURNING id
		),
		added AS (SELECT logged.* FROM logged JOIN stored USING (id)),
		days AS (
			INSERT INTO usage_days AS sums (${GROUP}, ${COUNTS})
			SELECT ${GROUP}, ${SUMS} FROM added GROUP BY ${GROUP}
			ON CONFLICT (workspace, ${GROUP}) DO UPDATE SET ${ADD_TO_SUMS}
		),
		user_days AS (
			INSERT INTO usage_user_days AS sums (${GROUP}, user_id, ${COUNTS})
			SELECT ${GROUP}, user_id, ${SUMS} FROM added GROUP BY ${GROUP}, user_id
			ON CONFLICT (workspace, ${GROUP}, user_id) DO UPDATE SET ${ADD_TO_SUMS}
		)
		INSERT INTO usage_costs AS sums (${GROUP}, currency, user_id, calls, nano_units)
		SELECT ${GROUP}, currency, user_id, count(*), least(sum(nano_units), ${MAX_NANO_UNITS}) FROM added
		WHERE currency IS NOT NULL GROUP BY ${GROUP}, currency, user_id
		ON CONFLICT (workspace, ${GROUP}, currency, user_id) DO UPDATE SET
			calls = sums.calls + excluded.calls,
			nano_units = least(sums.nano_units + excluded.nano_units, ${MAX_NANO_UNITS})`.execute(transaction);
}

/** Arrays of the values of each column. */
function toColumns(receipts: readonly LoggedReceipt[]): readonly RawBuilder<unknown>[] {
	const read = receipts.map((receipt) => ({ ...readReceiptUsage(receipt), receipt }));
	type Read = ReceiptUsage & { readonly receipt: LoggedReceipt };
	const texts = (toValue: (row: Read) => string | null) => sql`${read.map(toValue)}::text[]`;
	const numbers = (toValue: (row: Read) => number | bigint | null) => sql`${read.map(toValue)}::bigint[]`;
	return [
		texts(({ receipt }) => receipt.id),
		texts(({ receipt }) => receipt.runId),
		numbers(({ receipt }) => receipt.at),
		texts(({ receipt }) => receipt.receipt),
		texts(({ receipt }) => receipt.userId ?? null),
		texts(({ usage }) => usage.day),
		texts(({ usage }) => usage.payer),
		texts(({ usage }) => usage.stage),
		texts(({ usage }) => usage.provider),
		texts(({ usage }) => usage.model),
		texts(({ usage }) => usage.user_id),
		numbers(({ usage }) => usage.input_tokens),
		numbers(({ usage }) => usage.output_tokens),
		numbers(({ usage }) => usage.cached_tokens),
		numbers(({ usage }) => usage.estimated_calls),
		texts(({ cost }) => cost?.currency ?? null),
		numbers(({ cost }) => cost?.nano_units ?? null),
	];
}
