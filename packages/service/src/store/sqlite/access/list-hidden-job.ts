import type { HiddenItem } from "../../../access/access-repository";
import type { JobFile } from "../../job-file";

const IS_LIMITED = `
SELECT 1 FROM knowledge_bases WHERE access IS NOT NULL
UNION ALL SELECT 1 FROM agents WHERE access IS NOT NULL
LIMIT 1`;

/** Names that the graphs of agents have: of knowledge bases, and of agents that they call. */
const LIST_HIDDEN = `
WITH RECURSIVE
named (agent, kind, name) AS MATERIALIZED (
	SELECT agents.id, 'knowledge_base', bases.value
	FROM agents, json_each(agents.graph, '$.nodes') AS node, json_each(node.value, '$.knowledgeBases') AS bases
	UNION ALL
	SELECT agents.id, 'agent', json_extract(node.value, '$.agentId')
	FROM agents, json_each(agents.graph, '$.nodes') AS node
	WHERE json_extract(node.value, '$.agentId') IS NOT NULL
),
hidden (kind, id, slug) AS (
	SELECT 'knowledge_base', id, slug FROM knowledge_bases
	WHERE access IS NOT NULL AND deleted_at IS NULL AND ?1 NOT IN (SELECT value FROM json_each(access))
	UNION
	SELECT 'agent', id, slug FROM agents
	WHERE access IS NOT NULL AND ?1 NOT IN (SELECT value FROM json_each(access))
	UNION
	SELECT 'agent', agents.id, agents.slug
	FROM hidden JOIN named ON named.kind = hidden.kind AND named.name IN (hidden.id, hidden.slug) JOIN agents ON agents.id = named.agent
)
SELECT kind, id, slug FROM hidden`;

/** Lists the knowledge bases and agents that a member may not use, with the agents whose graphs name one of these. */
export function listHidden(file: JobFile, { userId }: { readonly userId: string }): readonly HiddenItem[] {
	if (file.prepare(IS_LIMITED).get() === undefined) return [];
	return file.prepare<HiddenItem>(LIST_HIDDEN).all(userId);
}
