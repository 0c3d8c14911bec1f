import type { LimitsConfiguration } from "../configuration/configuration";
import { type ByteBudget, createByteBudget } from "./byte-budget";

type Limits<Key extends keyof LimitsConfiguration> = Pick<LimitsConfiguration, Key>;

/** Budget of the request bodies that are in memory. */
export const createBodyBudget = ({
	bodyBytes,
	totalBodyBytes,
}: Limits<"bodyBytes" | "totalBodyBytes">): ByteBudget =>
	createByteBudget({
		totalBytes: totalBodyBytes,
		workspaceBytes: bodyBytes,
		name: "request bodies in memory",
		settings: { total: "limits.total_body_bytes", workspace: "limits.body_bytes" },
	});

/** Budget of the uploads that are on the disk and not stored yet. */
export const createSpoolBudget = ({
	spoolBytes,
	totalSpoolBytes,
}: Limits<"spoolBytes" | "totalSpoolBytes">): ByteBudget =>
	createByteBudget({
		totalBytes: totalSpoolBytes,
		workspaceBytes: spoolBytes,
		name: "uploads that are not stored yet",
		settings: { total: "limits.total_spool_bytes", workspace: "limits.spool_bytes" },
		retryAfterSeconds: 5,
	});
