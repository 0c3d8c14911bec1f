import type { Payer, Stage } from "@stemma/core";

/** Table of a workspace's usage. */
export interface UsageTables {
	usage_days: UsageDayRow;
	usage_user_days: UsageUserDayRow;
	usage_costs: UsageCostRow;
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

/** Receipts of one day, user, payer, stage and model, summed as they are written. */
export interface UsageUserDayRow extends UsageDayRow {
	/** `usr_…`; empty for clients, client keys and indexing. */
	user_id: string;
}

/** Costs of the receipts of one day, user, payer, stage and model that have one, summed as they are written. */
export interface UsageCostRow {
	day: string;
	payer: Payer;
	stage: Stage;
	provider: string;
	model: string;
	currency: string;
	/** `usr_…`; empty for clients, client keys and indexing. */
	user_id: string;
	/** Calls that have a price. */
	calls: number;
	/** Billionths of the currency. */
	nano_units: number;
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

/** Receipts and sums by user. What was written before has no user. */
export const usageByUserSql = `
ALTER TABLE receipts ADD COLUMN user_id TEXT;
CREATE TABLE usage_user_days (
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
	user_id TEXT NOT NULL,
	PRIMARY KEY (day, user_id, payer, stage, provider, model)
) STRICT, WITHOUT ROWID;
INSERT INTO usage_user_days SELECT *, '' FROM usage_days;
`;

/** Sums of costs. What was written before has none. */
export const usageCostsSql = `
CREATE TABLE usage_costs (
	day TEXT NOT NULL,
	payer TEXT NOT NULL,
	stage TEXT NOT NULL,
	provider TEXT NOT NULL,
	model TEXT NOT NULL,
	currency TEXT NOT NULL,
	user_id TEXT NOT NULL,
	calls INTEGER NOT NULL,
	nano_units INTEGER NOT NULL,
	PRIMARY KEY (day, payer, stage, provider, model, currency, user_id)
) STRICT, WITHOUT ROWID;
`;
