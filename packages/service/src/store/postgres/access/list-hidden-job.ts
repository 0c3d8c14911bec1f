import { sql } from "kysely";
import type { HiddenItem } from "../../../access/access-repository";
import { parsedJson } from "../connection/parsed-json";
import { ownRows } from "../own-rows-plugin";
import type { PostgresJob } from "../postgres-job";

const NODES = sql`jsonb_array_elements(${parsedJson("agents.graph")} -> 'nodes') AS node (value)`;

/** Names that the graphs of agents have: of knowledge bases, and of agents that they call. */
const NAMED = sql`
	SELECT agents.id, 'knowledge_base', bases.value
	FROM agents, ${NODES}, jsonb_array_elements_text(node.value -> 'knowledgeBases') AS bases (value)
	WHERE ${ownRows("agents")}
	UNION ALL
	SELECT agents.id, 'agent', node.value ->> 'agentId'
	FROM agents, ${NODES}
	WHERE ${ownRows("agents")} AND node.value ->> 'agentId' IS NOT NULL`;

const isForbidden = (userId: string) =>
	sql`access IS NOT NULL AND ${userId} NOT IN (SELECT value FROM jsonb_array_elements_text(access::jsonb) AS permitted (value))`;

const selectHidden = (userId: string) => sql<HiddenItem>`
WITH RECURSIVE named (agent, kind, name) AS MATERIALIZED (${NAMED}),
hidden (kind, id, slug) AS (
	SELECT 'knowledge_base', id, slug FROM knowledge_bases
	WHERE ${ownRows("knowledge_bases")} AND deleted_at IS NULL AND ${isForbidden(userId)}
	UNION
	SELECT 'agent', id, slug FROM agents
	WHERE ${ownRows("agents")} AND ${isForbidden(userId)}
	UNION
	SELECT 'agent', agents.id, agents.slug
	FROM hidden
	JOIN named ON named.kind = hidden.kind AND named.name IN (hidden.id, hidden.slug)
	JOIN agents ON agents.id = named.agent AND ${ownRows("agents")}
)
SELECT kind, id, slug FROM hidden`;

/** Lists the knowledge bases and agents that a member may not use, with the agents whose graphs name one of these. */
export const listHidden: PostgresJob<{ readonly userId: string }, readonly HiddenItem[]> = async (
	transaction,
	{ userId },
) => {
	const limited = await transaction
		.selectFrom("knowledge_bases")
		.select("id")
		.where("access", "is not", null)
		.unionAll(transaction.selectFrom("agents").select("id").where("access", "is not", null))
		.limit(1)
		.execute();
	if (limited.length === 0) return [];
	const { rows } = await selectHidden(userId).execute(transaction);
	return rows;
};
