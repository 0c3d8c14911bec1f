import { type A2aTables, a2aStatusTimeSql, a2aTablesSql } from "../a2a/a2a-tables";
import { type ApprovalTables, approvalTablesSql } from "../runs/approvals/approval-tables";
import { type RunTables, runInputsSql, runTablesSql, runWithinSql } from "../runs/run-tables";
import { type AgentTables, agentTablesSql } from "./sqlite/agent-tables";
import { type AuditTables, auditTablesSql } from "./sqlite/audit-tables";
import { type IdempotencyTables, idempotencyTablesSql } from "./sqlite/idempotency-tables";
import { type KnowledgeTables, knowledgeTablesSql } from "./sqlite/knowledge/knowledge-tables";
import { type SettingsTables, settingsTablesSql } from "./sqlite/settings-tables";
import { type UsageTables, usageTablesSql } from "./sqlite/usage/usage-tables";
import { type WorkspaceSecretTables, workspaceSecretTablesSql } from "./sqlite/workspace-secret-tables";
import { type WorkspaceIdentityTables, workspaceIdentitySql } from "./workspace-identity";

/** The tables of a workspace's file: each area brings its own. */
export type WorkspaceTables = AgentTables &
	IdempotencyTables &
	KnowledgeTables &
	RunTables &
	AuditTables &
	UsageTables &
	SettingsTables &
	WorkspaceSecretTables &
	A2aTables &
	ApprovalTables &
	WorkspaceIdentityTables;

/** A step for each version of a workspace's file; what is here stays as it is, and new tables come behind. */
export const workspaceMigrations: readonly string[] = [
	[
		idempotencyTablesSql,
		knowledgeTablesSql,
		agentTablesSql,
		runTablesSql,
		auditTablesSql,
		usageTablesSql,
		settingsTablesSql,
		workspaceSecretTablesSql,
	].join("\n"),
	a2aTablesSql,
	approvalTablesSql,
	runWithinSql,
	a2aStatusTimeSql,
	runInputsSql,
	workspaceIdentitySql,
];
