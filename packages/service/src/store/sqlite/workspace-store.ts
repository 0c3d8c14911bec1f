import type { Queries } from "../database";
import type { WorkspaceStore } from "../workspace-store";
import type { WorkspaceTables } from "../workspace-tables";
import { createAgentRepository } from "./agent-repository";
import { createAuditRepository } from "./audit-repository";
import { createIdempotencyRepository } from "./idempotency-repository";
import { createSecretRepository } from "./secret-repository";
import { createSettingsRepository } from "./settings-repository";

/** Repositories of one workspace in its SQLite file. */
export const createWorkspaceStore = (queries: Queries<WorkspaceTables>): WorkspaceStore => ({
	agents: createAgentRepository(queries),
	audit: createAuditRepository(queries),
	idempotency: createIdempotencyRepository(queries),
	secrets: createSecretRepository(queries),
	settings: createSettingsRepository(queries),
});
