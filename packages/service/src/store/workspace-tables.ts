import { type A2aTables, a2aStatusTimeSql, a2aTablesSql } from "./sqlite/a2a/a2a-tables";
import { accessSql, runLimitsSql } from "./sqlite/access/access-tables";
import { type AgentTables, agentTablesSql, agentVersionsSql } from "./sqlite/agents/agent-tables";
import { type AuditTables, auditTablesSql } from "./sqlite/audit-tables";
import { type FeedbackTables, feedbackTablesSql } from "./sqlite/feedback/feedback-tables";
import {
	type IdempotencyTables,
	idempotencyReferencesSql,
	idempotencyTablesSql,
} from "./sqlite/idempotency-tables";
import { type ContentTables, contentTablesSql } from "./sqlite/knowledge/content-tables";
import {
	attachmentsSql,
	type KnowledgeTables,
	knowledgeBaseSlugsSql,
	knowledgeTablesSql,
	passagePlacesSql,
	readerVersionsSql,
	unreadPagesSql,
} from "./sqlite/knowledge/knowledge-tables";
import { type ReindexTables, reindexTablesSql } from "./sqlite/knowledge/reindex/reindex-tables";
import { wordIndexMovesSql } from "./sqlite/knowledge/search/legacy-word-indexes";
import { wordIndexColumnSql } from "./sqlite/knowledge/search/word-index";
import { wordMergesSql } from "./sqlite/knowledge/search/word-merges";
import { type ResponseTables, responseTablesSql } from "./sqlite/responses/response-tables";
import { type ApprovalTables, approvalTablesSql } from "./sqlite/runs/approval-tables";
import {
	type RunTables,
	runInputsSql,
	runsByParentSql,
	runsByStarterSql,
	runTablesSql,
	runWithinSql,
} from "./sqlite/runs/run-tables";
import { type SettingsTables, settingsTablesSql } from "./sqlite/settings-tables";
import { type SourceTables, sourceStateSql, sourceTablesSql } from "./sqlite/sources/source-tables";
import { messageAnswersSql, type ThreadTables, threadTablesSql } from "./sqlite/threads/thread-tables";
import { type UsageTables, usageByUserSql, usageCostsSql, usageTablesSql } from "./sqlite/usage/usage-tables";
import { type WorkspaceSecretTables, workspaceSecretTablesSql } from "./sqlite/workspace-secret-tables";
import { type WorkspaceIdentityTables, workspaceIdentitySql } from "./workspace-identity";

/** The tables of a workspace's file: each area brings its own. */
export type WorkspaceTables = AgentTables &
	IdempotencyTables &
	KnowledgeTables &
	ContentTables &
	ReindexTables &
	RunTables &
	AuditTables &
	UsageTables &
	SettingsTables &
	WorkspaceSecretTables &
	A2aTables &
	ApprovalTables &
	SourceTables &
	ThreadTables &
	FeedbackTables &
	ResponseTables &
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
	passagePlacesSql,
	contentTablesSql,
	knowledgeBaseSlugsSql,
	readerVersionsSql,
	sourceTablesSql,
	attachmentsSql,
	sourceStateSql,
	[wordIndexColumnSql, wordIndexMovesSql].join("\n"),
	unreadPagesSql,
	reindexTablesSql,
	threadTablesSql,
	feedbackTablesSql,
	responseTablesSql,
	runsByStarterSql,
	runsByParentSql,
	[messageAnswersSql, idempotencyReferencesSql].join("\n"),
	usageByUserSql,
	accessSql,
	runLimitsSql,
	agentVersionsSql,
	usageCostsSql,
	wordMergesSql,
];
