import type { UsageQuery, UsageRow } from "@stemma/client";
import type { UsageRange } from "./usage-range";

/** Days whose usage is read, of one payer, stage or user where they are named. */
export type ReadUsageInput = UsageRange & Pick<UsageQuery, "payer" | "stage" | "user_id" | "group_by">;

/** Receipts of one workspace, summed by day, payer, stage and model as they are stored. */
export interface UsageRepository {
	/** Reads the sums of some days, the oldest day first, at most `limit`. */
	read(input: ReadUsageInput, limit: number): Promise<readonly UsageRow[]>;
}
