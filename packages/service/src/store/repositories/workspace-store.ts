import { ownClaims } from "../claims/work-claims";
import type { Database } from "../database";
import type { WorkspaceStore } from "../workspace-store";
import type { WorkspaceTables } from "../workspace-tables";
import { createPushConfigRepository } from "./a2a/push-config-repository";
import { createTaskRepository } from "./a2a/task-repository";
import { createAccessRepository } from "./access/access-repository";
import { createAgentRepository } from "./agents/agent-repository";
import { createAuditRepository } from "./audit-repository";
import { createCiphertextRepository } from "./ciphertext-repository";
import { createFeedbackRepository } from "./feedback/feedback-repository";
import { createIdempotencyRepository } from "./idempotency-repository";
import { createKnowledgeRepositories, type SharedKnowledge } from "./knowledge/knowledge-repositories";
import { listNewestIds } from "./newest-ids";
import { createResponseRepository } from "./responses/response-repository";
import { createApprovalRepository } from "./runs/approval-repository";
import { createRunRepository } from "./runs/run-repository";
import { createSecretRepository } from "./secret-repository";
import { createSettingsRepository } from "./settings-repository";
import { createPushRepository } from "./sources/push-repository";
import { createSourceRepository } from "./sources/source-repository";
import { createSyncRepository } from "./sources/sync-repository";
import { createStorageRepository } from "./storage/storage-repository";
import { createThreadRepository } from "./threads/thread-repository";
import { createUsageRepository } from "./usage/usage-repository";

/** Repositories of one workspace, over its tables. */
export const createWorkspaceStore = (
	database: Database<WorkspaceTables>,
	{ claims = ownClaims, numbers }: SharedKnowledge = {},
): WorkspaceStore => ({
	access: createAccessRepository(database),
	agents: createAgentRepository(database),
	approvals: createApprovalRepository(database, claims),
	audit: createAuditRepository(database),
	claims,
	ciphertexts: createCiphertextRepository(database),
	feedback: createFeedbackRepository(database),
	idempotency: createIdempotencyRepository(database),
	knowledge: createKnowledgeRepositories(database, { claims, ...(numbers && { numbers }) }),
	pushConfigs: createPushConfigRepository(database),
	pushes: createPushRepository(database),
	responses: createResponseRepository(database, claims),
	runs: createRunRepository(database, claims),
	secrets: createSecretRepository(database),
	settings: createSettingsRepository(database),
	sources: createSourceRepository(database),
	storage: createStorageRepository(database),
	syncs: createSyncRepository(database, claims),
	tasks: createTaskRepository(database, claims),
	threads: createThreadRepository(database, claims),
	usage: createUsageRepository(database),
	listNewestIds: () =>
		listNewestIds(database.read, [
			"knowledge_bases",
			"documents",
			"sources",
			"source_syncs",
			"agents",
			"responses",
			"runs",
			"threads",
			"thread_messages",
			"feedback",
			"answers",
			"audit",
		]),
	close: () => database.close(),
	closeAndReject: () => database.closeAndReject(),
});
