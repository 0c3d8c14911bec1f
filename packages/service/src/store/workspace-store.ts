import type { PushConfigRepository } from "../a2a/repositories/push-config-repository";
import type { WorkspaceTaskRepository } from "../a2a/repositories/task-repository";
import type { AccessRepository } from "../access/access-repository";
import type { AgentRepository } from "../agents/agent-repository";
import type { AuditRepository } from "../audit/audit-repository";
import type { CiphertextRepository } from "../encryption/ciphertext-repository";
import type { FeedbackRepository } from "../feedback/feedback-repository";
import type { KnowledgeRepositories } from "../knowledge/repositories/knowledge-repositories";
import type { ResponseRepository } from "../responses/repositories/response-repository";
import type { ApprovalRepository } from "../runs/repositories/approval-repository";
import type { RunRepository } from "../runs/repositories/run-repository";
import type { LlmSettingsRepository } from "../settings/settings-repository";
import type { PushRepository } from "../sources/repositories/push-repository";
import type { SourceRepository } from "../sources/repositories/source-repository";
import type { SyncRepository } from "../sources/repositories/sync-repository";
import type { StorageRepository } from "../storage/storage-repository";
import type { ThreadRepository } from "../threads/thread-repository";
import type { UsageRepository } from "../usage/usage-repository";
import type { SecretRepository } from "../workspace-secrets/secret-repository";
import type { WorkClaims } from "./claims/work-claims";
import type { IdempotencyRepository } from "./idempotency-repository";

/** Repositories of one workspace; each passes its contract suite in `test-support/`. */
export interface WorkspaceStore {
	readonly access: AccessRepository;
	readonly agents: AgentRepository;
	readonly approvals: ApprovalRepository;
	readonly audit: AuditRepository;
	/** Claims of the work in progress: which instance does it. */
	readonly claims: WorkClaims;
	readonly ciphertexts: CiphertextRepository;
	readonly feedback: FeedbackRepository;
	readonly idempotency: IdempotencyRepository;
	readonly knowledge: KnowledgeRepositories;
	readonly pushConfigs: PushConfigRepository;
	readonly pushes: PushRepository;
	readonly responses: ResponseRepository;
	readonly runs: RunRepository;
	readonly secrets: SecretRepository;
	readonly settings: LlmSettingsRepository;
	readonly sources: SourceRepository;
	readonly storage: StorageRepository;
	readonly syncs: SyncRepository;
	readonly tasks: WorkspaceTaskRepository;
	readonly threads: ThreadRepository;
	readonly usage: UsageRepository;
	/** Lists the newest id of each kind; ids tell when they were made. */
	listNewestIds(): Promise<readonly string[]>;
	/** Closes the store before the process ends. A write after it waits for ever: nothing may want to write any more. */
	close(): Promise<void>;
	/** Closes the store while other workspaces stay open. Unlike after `close`, a later write fails at once. */
	closeAndReject(): Promise<void>;
}
