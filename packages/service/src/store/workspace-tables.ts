import { type AgentTables, agentTablesSql } from "../agents/agent-tables";
import { type IdempotencyTables, idempotencyTablesSql } from "../http/idempotency-tables";
import { type KnowledgeTables, knowledgeTablesSql } from "../knowledge/knowledge-tables";
import { type RunTables, runTablesSql } from "../runs/run-tables";

/** The tables of a workspace's file: each area brings its own. */
export type WorkspaceTables = AgentTables & IdempotencyTables & KnowledgeTables & RunTables;

/** The first version of a workspace's file. Areas add their tables here until there is a release; then come steps. */
export const workspaceMigrations: readonly string[] = [
	[idempotencyTablesSql, knowledgeTablesSql, agentTablesSql, runTablesSql].join("\n"),
];
