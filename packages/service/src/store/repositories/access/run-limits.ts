import type { AgentGraph } from "@stemma/core";
import type { Kysely } from "kysely";
import { parseColumn } from "../../json-column";
import type { WorkspaceTables } from "../../workspace-tables";

type Queries = Kysely<WorkspaceTables>;

/** Lists what limits an agent now: itself, and what its graph needs, at whatever depth; null for nothing. As JSON. */
export async function findRunLimits(queries: Queries, agentId: string): Promise<string | null> {
	const limited = await listLimited(queries);
	if (limited.size === 0) return null;
	const limits = (await listNeeded(queries, agentId)).filter((id) => limited.has(id));
	return limits.length === 0 ? null : JSON.stringify(limits);
}

/** Ids of the knowledge bases and agents that not all members may use. */
async function listLimited(queries: Queries): Promise<ReadonlySet<string>> {
	const rows = await queries
		.selectFrom("knowledge_bases")
		.select("id")
		.where("access", "is not", null)
		.unionAll(queries.selectFrom("agents").select("id").where("access", "is not", null))
		.execute();
	return new Set(rows.map(({ id }) => id));
}

/** Ids of an agent, of the agents that it calls, at whatever depth, and of the knowledge bases that their graphs name. */
async function listNeeded(queries: Queries, agentId: string): Promise<readonly string[]> {
	const needed = new Set([agentId]);
	let agents: readonly string[] = [agentId];
	while (agents.length > 0) {
		const rows = await queries.selectFrom("agents").select("graph").where("id", "in", agents).execute();
		const names = rows.map(({ graph }) => listReferences(parseColumn(graph)));
		const bases = await findIds(
			queries,
			"knowledge_bases",
			names.flatMap(({ knowledgeBases }) => knowledgeBases),
		);
		const called = await findIds(
			queries,
			"agents",
			names.flatMap(({ agents }) => agents),
		);
		agents = called.filter((id) => !needed.has(id));
		for (const id of [...bases, ...called]) needed.add(id);
	}
	return [...needed];
}

/** Names of knowledge bases and agents that a graph has: their ids or slugs. */
const listReferences = ({ nodes }: AgentGraph) => ({
	knowledgeBases: nodes.flatMap((node) => ("knowledgeBases" in node ? node.knowledgeBases : [])),
	agents: nodes.flatMap((node) => ("agentId" in node && node.agentId !== undefined ? node.agentId : [])),
});

async function findIds(
	queries: Queries,
	table: "knowledge_bases" | "agents",
	names: readonly string[],
): Promise<readonly string[]> {
	if (names.length === 0) return [];
	const rows =
		table === "agents"
			? await queries
					.selectFrom("agents")
					.select("id")
					.where(({ eb, or }) => or([eb("id", "in", names), eb("slug", "in", names)]))
					.execute()
			: await queries
					.selectFrom("knowledge_bases")
					.select("id")
					.where("deleted_at", "is", null)
					.where(({ eb, or }) => or([eb("id", "in", names), eb("slug", "in", names)]))
					.execute();
	return rows.map(({ id }) => id);
}

/** Keeps the limits of an agent that is deleted with its runs, and with feedback on them. */
export async function keepLimits(transaction: Queries, agentId: string): Promise<void> {
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
