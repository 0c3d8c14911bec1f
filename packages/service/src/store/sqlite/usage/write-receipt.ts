import type { ReceiptRow } from "@stemma/core";
import { toNanoUnits } from "@stemma/core/internal";
import type { LoggedReceipt } from "@stemma/runs";
import { toDay } from "../../../usage/day";
import { toTokenCount } from "../../../usage/token-count";
import type { JobFile } from "../../job-file";

const INSERT_RECEIPT = `
INSERT INTO receipts (id, run_id, created_at, receipt, user_id) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (id) DO NOTHING`;

const ADD_TO_SUMS = `
ON CONFLICT DO UPDATE SET
	calls = calls + 1,
	input_tokens = input_tokens + excluded.input_tokens,
	output_tokens = output_tokens + excluded.output_tokens,
	cached_tokens = cached_tokens + excluded.cached_tokens,
	estimated_calls = estimated_calls + excluded.estimated_calls`;

const UPSERT_USAGE = `INSERT INTO usage_days VALUES (?, ?, ?, ?, ?, 1, ?, ?, ?, ?)${ADD_TO_SUMS}`;
const UPSERT_USER_USAGE = `INSERT INTO usage_user_days VALUES (?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?)${ADD_TO_SUMS}`;

/** Largest sum of one row, in billionths of the currency: JavaScript has it as a whole number. */
const MAX_NANO_UNITS = 9_000_000_000_000_000n;

const UPSERT_COST = `
INSERT INTO usage_costs VALUES (?, ?, ?, ?, ?, ?, ?, 1, ?)
ON CONFLICT DO UPDATE SET
	calls = calls + 1,
	nano_units = min(nano_units + excluded.nano_units, ${MAX_NANO_UNITS})`;

/** Writes a receipt and adds it to the sums of its day, in the caller's transaction. One that is there is left. */
export function writeReceipt(file: JobFile, { id, runId, userId, at, receipt }: LoggedReceipt): void {
	const isNew = file.prepare(INSERT_RECEIPT).run(id, runId, at, receipt, userId ?? null).changes === 1;
	if (isNew) addToUsage(file, { day: toDay(at), userId }, JSON.parse(receipt) as ReceiptRow);
}

function addToUsage(
	file: JobFile,
	{ day, userId = "" }: { readonly day: string; readonly userId: string | undefined },
	row: ReceiptRow,
): void {
	const { payer, stage, provider, model, estimated = false } = row;
	const tokens = [row.input_tokens, row.output_tokens, row.cached_tokens].map(toTokenCount);
	const values = [day, payer, stage, provider, model, ...tokens, estimated ? 1 : 0] as const;
	file.prepare(UPSERT_USAGE).run(...values);
	file.prepare(UPSERT_USER_USAGE).run(...values, userId);
	const { cost } = row;
	if (cost !== undefined)
		file
			.prepare(UPSERT_COST)
			.run(day, payer, stage, provider, model, cost.currency, userId, toNanoUnits(cost.amount));
}
