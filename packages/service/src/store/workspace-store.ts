import type { AgentRepository } from "../agents/agent-repository";
import type { AuditRepository } from "../audit/audit-repository";
import type { CiphertextRepository } from "../encryption/ciphertext-repository";
import type { KnowledgeRepositories } from "../knowledge/repositories/knowledge-repositories";
import type { LlmSettingsRepository } from "../settings/settings-repository";
import type { StorageRepository } from "../storage/storage-repository";
import type { UsageRepository } from "../usage/usage-repository";
import type { SecretRepository } from "../workspace-secrets/secret-repository";
import type { IdempotencyRepository } from "./idempotency-repository";

/** Repositories of one workspace; each passes its contract suite in `test-support/`. */
export interface WorkspaceStore {
	readonly agents: AgentRepository;
	readonly audit: AuditRepository;
	readonly ciphertexts: CiphertextRepository;
	readonly idempotency: IdempotencyRepository;
	readonly knowledge: KnowledgeRepositories;
	readonly secrets: SecretRepository;
	readonly settings: LlmSettingsRepository;
	readonly storage: StorageRepository;
	readonly usage: UsageRepository;
	/** Lists the newest id of each kind; ids tell when they were made. */
	listNewestIds(): Promise<readonly string[]>;
}
