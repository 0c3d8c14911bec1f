import type { LoggedReceipt } from "@stemma/runs";
import type { JobFile } from "../../job-file";
import { MAX_NANO_UNITS, readReceiptUsage } from "../../repositories/usage/receipt-usage";

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

const UPSERT_COST = `
INSERT INTO usage_costs VALUES (?, ?, ?, ?, ?, ?, ?, 1, ?)
ON CONFLICT DO UPDATE SET
	calls = calls + 1,
	nano_units = min(nano_units + excluded.nano_units, ${MAX_NANO_UNITS})`;

/** Writes a receipt and adds it to the sums of its day, in the caller's transaction. One that is there is left. */
export function writeReceipt(file: JobFile, logged: LoggedReceipt): void {
	const { id, runId, userId, at, receipt } = logged;
	const isNew = file.prepare(INSERT_RECEIPT).run(id, runId, at, receipt, userId ?? null).changes === 1;
	if (isNew) addToUsage(file, logged);
}

function addToUsage(file: JobFile, receipt: LoggedReceipt): void {
	const { usage, cost } = readReceiptUsage(receipt);
	const { day, payer, stage, provider, model, user_id } = usage;
	const group = [day, payer, stage, provider, model] as const;
	const { input_tokens, output_tokens, cached_tokens, estimated_calls } = usage;
	const sums = [input_tokens, output_tokens, cached_tokens, estimated_calls] as const;
	file.prepare(UPSERT_USAGE).run(...group, ...sums);
	file.prepare(UPSERT_USER_USAGE).run(...group, ...sums, user_id);
	if (cost !== undefined) file.prepare(UPSERT_COST).run(...group, cost.currency, user_id, cost.nano_units);
}
