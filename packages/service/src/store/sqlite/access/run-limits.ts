import { type Kysely, sql } from "kysely";
import type { WorkspaceTables } from "../../workspace-tables";
import { visibleSql } from "./visible-sql";

/** Condition of a row of runs that a person may see. */
export const isRunVisibleTo = (userId: string) =>
	sql<boolean>`EXISTS (SELECT 1 FROM (SELECT ${userId} AS id) AS reader WHERE ${sql.raw(visibleSql("runs", "started_by"))})`;

/** Lists what limits an agent now: itself, and what its graph needs, at whatever depth; null for nothing. As JSON. */
export async function findRunLimits(
	queries: Kysely<WorkspaceTables>,
	agentId: string,
): Promise<string | null> {
	const { rows } = await sql<{ readonly limits: string | null }>`
WITH RECURSIVE needed (id) AS (
	SELECT ${agentId}
	UNION
	SELECT knowledge_bases.id
	FROM needed JOIN agents ON agents.id = needed.id, json_each(agents.graph, '$.nodes') AS node,
		json_each(node.value, '$.knowledgeBases') AS base
	JOIN knowledge_bases ON base.value IN (knowledge_bases.id, knowledge_bases.slug) AND knowledge_bases.deleted_at IS NULL
	UNION
	SELECT called.id
	FROM needed JOIN agents ON agents.id = needed.id, json_each(agents.graph, '$.nodes') AS node
	JOIN agents AS called ON json_extract(node.value, '$.agentId') IN (called.id, called.slug)
)
SELECT CASE count(*) WHEN 0 THEN NULL ELSE json_group_array(id) END AS limits FROM needed
WHERE id IN (
	SELECT id FROM knowledge_bases WHERE access IS NOT NULL UNION ALL SELECT id FROM agents WHERE access IS NOT NULL
)`.execute(queries);
	return rows[0]?.limits ?? null;
}

/** Keeps the limits of an agent that is deleted with its runs, and with feedback on them. */
export async function keepLimits(transaction: Kysely<WorkspaceTables>, agentId: string): Promise<void> {
	const limits = await findRunLimits(transaction, agentId);
	if (limits === null) return;
	for (const table of ["runs", "feedback"] as const)
		await transaction
			.updateTable(table)
			.set({ limits })
			.where("agent_id", "=", agentId)
			.where("limits", "is", null)
			.execute();
}
