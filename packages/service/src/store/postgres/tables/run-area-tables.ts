import { a2aTablesSql } from "./a2a-tables";
import { agentTablesSql } from "./agent-tables";
import { auditTablesSql } from "./audit-tables";
import { feedbackTablesSql } from "./feedback-tables";
import { idempotencyTablesSql } from "./idempotency-tables";
import { responseTablesSql } from "./response-tables";
import { runTablesSql } from "./run-tables";
import { settingsTablesSql } from "./settings-tables";
import { storageTablesSql } from "./storage-tables";
import { threadTablesSql } from "./thread-tables";
import { usageTablesSql } from "./usage-tables";

/** Tables of agents, runs, threads, responses, secrets, settings, audit and usage. */
export const runAreaSql = [
	settingsTablesSql,
	agentTablesSql,
	runTablesSql,
	a2aTablesSql,
	threadTablesSql,
	feedbackTablesSql,
	responseTablesSql,
	usageTablesSql,
	auditTablesSql,
	idempotencyTablesSql,
	storageTablesSql,
].join("\n");
