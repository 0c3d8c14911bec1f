import type { AgentVersion, AgentVersionSummary } from "@stemma/client";
import type { Kysely } from "kysely";
import { MAX_AGENT_VERSIONS, type VersionAuthor, type VersionPage } from "../../../agents/agent-repository";
import { parseColumn } from "../../json-column";
import type { AgentVersionRow } from "../../sqlite/agents/agent-tables";
import type { WorkspaceTables } from "../../workspace-tables";

/** Version that is stored, in the transaction that stores the agent. */
interface NewVersion
	extends Pick<AgentVersion, "agent_id" | "number" | "graph" | "created_at">,
		VersionAuthor {
	readonly restoredFrom?: number | undefined;
}

/** Adds the newest version of an agent, and deletes the one that is beyond the limit then. */
export async function insertVersion(
	transaction: Kysely<WorkspaceTables>,
	{ graph, note, created_at, createdBy, restoredFrom, ...version }: NewVersion,
): Promise<void> {
	const { agent_id, number } = version;
	await transaction
		.insertInto("agent_versions")
		.values({
			...version,
			name: graph.name ?? null,
			note: note ?? null,
			created_by: createdBy,
			restored_from: restoredFrom ?? null,
			created_at: Date.parse(created_at),
			graph: JSON.stringify(graph),
		})
		.execute();
	await transaction
		.deleteFrom("agent_versions")
		.where("agent_id", "=", agent_id)
		.where("number", "<=", number - MAX_AGENT_VERSIONS)
		.execute();
}

const SUMMARY_COLUMNS = [
	"agent_id",
	"number",
	"name",
	"note",
	"created_by",
	"restored_from",
	"created_at",
] as const;

/** Lists versions of an agent, the newest first; one more than the limit, where there are more. */
export async function listVersions(
	read: Kysely<WorkspaceTables>,
	agentId: string,
	{ limit, before }: VersionPage,
): Promise<readonly AgentVersionSummary[]> {
	const rows = await read
		.selectFrom("agent_versions")
		.select(SUMMARY_COLUMNS)
		.where("agent_id", "=", agentId)
		.$if(before !== undefined, (query) => query.where("number", "<", before ?? 0))
		.orderBy("number", "desc")
		.limit(limit + 1)
		.execute();
	return rows.map(toSummary);
}

/** Finds a version of an agent with its graph. */
export async function findVersion(
	read: Kysely<WorkspaceTables>,
	agentId: string,
	number: number,
): Promise<AgentVersion | undefined> {
	const row = await read
		.selectFrom("agent_versions")
		.selectAll()
		.where("agent_id", "=", agentId)
		.where("number", "=", number)
		.executeTakeFirst();
	return row && { ...toSummary(row), graph: parseColumn(row.graph) };
}

const toSummary = (row: Omit<AgentVersionRow, "graph">): AgentVersionSummary => ({
	agent_id: row.agent_id,
	number: row.number,
	name: row.name,
	note: row.note,
	created_by: row.created_by,
	restored_from: row.restored_from,
	created_at: new Date(row.created_at).toISOString(),
});
