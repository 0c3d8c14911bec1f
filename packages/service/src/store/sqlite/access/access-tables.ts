/**
 * Columns with the ids of the limited knowledge bases and agents that a run was made with, as JSON; null for none. With them a
 * run, and feedback on it, stay limited after the agent has changed or is gone.
 */
export const runLimitsSql = `
ALTER TABLE runs ADD COLUMN limits TEXT;
ALTER TABLE feedback ADD COLUMN limits TEXT;
`;

/** Columns with the ids of the users who may use a knowledge base or an agent, as JSON; null for all members. */
export const accessSql = `
ALTER TABLE knowledge_bases ADD COLUMN access TEXT;
ALTER TABLE agents ADD COLUMN access TEXT;
CREATE INDEX knowledge_bases_with_access ON knowledge_bases (number) WHERE access IS NOT NULL;
CREATE INDEX agents_with_access ON agents (number) WHERE access IS NOT NULL;
`;
