import type { StemmaClient } from "../client";
import type { CallOptions, WithRequestId } from "../options/call-options";
import type { Usage, UsageQuery } from "../types/usage";

/** The receipts of a workspace, summed by day, payer, stage and model. */
export type ReadUsage = (query?: UsageQuery, options?: CallOptions) => Promise<WithRequestId<Usage>>;

export const usage =
	(client: StemmaClient): ReadUsage =>
	(query = {}, options) =>
		client.request({ method: "GET", path: "/v1/usage", query: { ...query }, options });
