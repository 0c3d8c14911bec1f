import type { Payer, Stage } from "@stemma/core";

/** Table of a workspace's usage. */
export interface UsageTables {
	usage_days: UsageDayRow;
}

/** The receipts of one day, payer, stage and model, summed as they are written. */
export interface UsageDayRow {
	/** `2026-01-31`, UTC. */
	day: string;
	payer: Payer;
	stage: Stage;
	provider: string;
	model: string;
	calls: number;
	input_tokens: number;
	output_tokens: number;
	cached_tokens: number;
	estimated_calls: number;
}

export const usageTablesSql = `
CREATE TABLE usage_days (
	day TEXT NOT NULL,
	payer TEXT NOT NULL,
	stage TEXT NOT NULL,
	provider TEXT NOT NULL,
	model TEXT NOT NULL,
	calls INTEGER NOT NULL,
	input_tokens INTEGER NOT NULL,
	output_tokens INTEGER NOT NULL,
	cached_tokens INTEGER NOT NULL,
	estimated_calls INTEGER NOT NULL,
	PRIMARY KEY (day, payer, stage, provider, model)
) STRICT, WITHOUT ROWID;
`;
