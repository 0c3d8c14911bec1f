import type { Database } from "../database";
import type { WorkspaceStore } from "../workspace-store";
import type { WorkspaceTables } from "../workspace-tables";
import { createAgentRepository } from "./agent-repository";
import { createAuditRepository } from "./audit-repository";
import { createCiphertextRepository } from "./ciphertext-repository";
import { createIdempotencyRepository } from "./idempotency-repository";
import { createKnowledgeRepositories } from "./knowledge/knowledge-repositories";
import { listNewestIds } from "./newest-ids";
import { createSecretRepository } from "./secret-repository";
import { createSettingsRepository } from "./settings-repository";
import { createStorageRepository } from "./storage/storage-repository";
import { createUsageRepository } from "./usage/usage-repository";

/** Repositories of one workspace in its SQLite file. */
export const createWorkspaceStore = (database: Database<WorkspaceTables>): WorkspaceStore => ({
	agents: createAgentRepository(database),
	audit: createAuditRepository(database),
	ciphertexts: createCiphertextRepository(database),
	idempotency: createIdempotencyRepository(database),
	knowledge: createKnowledgeRepositories(database),
	secrets: createSecretRepository(database),
	settings: createSettingsRepository(database),
	storage: createStorageRepository(database),
	usage: createUsageRepository(database),
	listNewestIds: () =>
		listNewestIds(database.read, ["knowledge_bases", "documents", "agents", "runs", "audit"]),
});
