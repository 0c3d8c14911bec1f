import type { Cost, Payer, Stage } from "@stemma/core";

/** Filter of the receipts that are summed. */
export interface UsageQuery {
	/** A day, UTC, inclusive: `2026-01-31`. Default: 30 days before `to`. */
	readonly from?: string;
	/** A day, UTC, inclusive. Default: today. */
	readonly to?: string;
	/** Payer to filter by. */
	readonly payer?: Payer;
	readonly stage?: Stage;
	/** `usr_…`: receipts of what this person has asked and run. */
	readonly user_id?: string;
	/** `user` gives rows of each person; those of clients, client keys and indexing have `user_id: null`. */
	readonly group_by?: "user";
}

/** Charges to one payer on one day for one stage and model. */
export interface UsageRow {
	/** UTC: `2026-01-31`. */
	readonly day: string;
	readonly payer: Payer;
	readonly stage: Stage;
	readonly provider: string;
	readonly model: string;
	readonly calls: number;
	readonly input_tokens: number;
	readonly output_tokens: number;
	readonly cached_tokens: number;
	/** Number of those `calls` whose tokens are an estimate. */
	readonly estimated_calls: number;
	/**
	 * Costs of those `calls` whose model had a price when they were made, one sum for each currency; the others have none.
	 * Left out where no call had a price.
	 */
	readonly costs?: readonly UsageCost[];
	/** `usr_…`, with `group_by: "user"` alone; `null` for what no person has asked for. */
	readonly user_id?: string | null;
}

/** Cost of calls, at the prices of the time when they were made. */
export interface UsageCost extends Cost {
	/** Number of `calls` that have a price in this currency. */
	readonly calls: number;
}

/** Receipts of a workspace, summed; the oldest day first. */
export interface Usage {
	readonly from: string;
	readonly to: string;
	readonly data: readonly UsageRow[];
	/** Storage that the workspace uses now, independent of the days. */
	readonly storage: StorageUsage;
}

/** Storage that a workspace uses, and its limits. */
export interface StorageUsage {
	/** Size of the workspace's file, in bytes; deleted data does not count. */
	readonly bytes: number;
	readonly max_bytes: number;
	readonly documents: number;
	readonly max_documents: number;
	/** Kept, of all that were started. */
	readonly runs: number;
	/** The oldest that have ended are deleted beyond that. */
	readonly max_runs: number;
}
