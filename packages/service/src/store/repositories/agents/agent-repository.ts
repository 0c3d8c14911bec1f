import type { StoredAgent, StoredAgentSummary } from "@stemma/client";
import type { AgentGraph } from "@stemma/core";
import type { Kysely } from "kysely";
import type { AgentReplacement, AgentRepository } from "../../../agents/agent-repository";
import type { Queries } from "../../database";
import { parseColumn } from "../../json-column";
import type { AgentRow } from "../../sqlite/agents/agent-tables";
import type { WorkspaceTables } from "../../workspace-tables";
import { readAccess } from "../access/access-repository";
import { keepLimits } from "../access/run-limits";
import { replaceRecord } from "../idempotency-repository";
import { findVersion, insertVersion, listVersions } from "./agent-version-repository";

/** Agents of a workspace. */
export const createAgentRepository = ({ read, write }: Queries<WorkspaceTables>): AgentRepository => ({
	async find(idOrSlug) {
		const row = await read
			.selectFrom("agents")
			.selectAll()
			.where(idOrSlug.startsWith("ag_") ? "id" : "slug", "=", idOrSlug)
			.executeTakeFirst();
		return row && toStoredAgent(row);
	},
	async list({ limit, after = "", without = [] }) {
		const rows = await read
			.selectFrom("agents")
			.select(["id", "slug", "name", "description", "version", "created_at", "updated_at", "access"])
			.where("id", ">", after)
			.$if(without.length > 0, (query) => query.where("id", "not in", without))
			.orderBy("id")
			.limit(limit + 1)
			.execute();
		return rows.map(toSummary);
	},
	async listSlugs(prefix) {
		const rows = await read.selectFrom("agents").select("slug").where("slug", "like", `${prefix}%`).execute();
		return rows.map(({ slug }) => slug);
	},
	listUsers: (names) => listUsers(read, names),
	insert: ({ graph, created_at, updated_at, access: _, ...agent }, author, request) =>
		write.transaction().execute(async (transaction) => {
			const times = { created_at: Date.parse(created_at), updated_at: Date.parse(updated_at) };
			await transaction
				.insertInto("agents")
				.values({ ...agent, ...toColumns(graph), ...times })
				.execute();
			await insertVersion(transaction, { agent_id: agent.id, number: 1, graph, created_at, ...author });
			await replaceRecord(transaction, request);
		}),
	replace: (id, replacement) =>
		write.transaction().execute((transaction) => replaceAgent(transaction, id, replacement)),
	delete: (id) =>
		write.transaction().execute(async (transaction) => {
			await keepLimits(transaction, id);
			await transaction.deleteFrom("agents").where("id", "=", id).execute();
		}),
	listVersions: (id, page) => listVersions(read, id, page),
	findVersion: (id, number) => findVersion(read, id, number),
});

async function replaceAgent(
	transaction: Kysely<WorkspaceTables>,
	id: string,
	{ graph, slug, updated_at, expectedVersion, ...author }: AgentReplacement,
): Promise<StoredAgent | undefined> {
	const columns = toColumns(graph);
	const current = await transaction
		.selectFrom("agents")
		.select(["version", "graph"])
		.where("id", "=", id)
		.executeTakeFirst();
	if (current === undefined || current.version !== (expectedVersion ?? current.version)) return undefined;
	const isChanged = current.graph !== columns.graph;
	const number = isChanged ? current.version + 1 : current.version;
	const row = await transaction
		.updateTable("agents")
		.set({ ...columns, slug, version: number, updated_at: Date.parse(updated_at) })
		.where("id", "=", id)
		.returningAll()
		.executeTakeFirstOrThrow();
	if (isChanged)
		await insertVersion(transaction, { agent_id: id, number, graph, created_at: updated_at, ...author });
	return toStoredAgent(row);
}

/** Lists the agents that use a knowledge base, which has these names. */
async function listUsers(read: Kysely<WorkspaceTables>, names: readonly string[]) {
	const rows = await read
		.selectFrom("agents")
		.select(["id", "slug", "graph"])
		// A text that stands somewhere in the graph: nodes are looked at only where it does.
		.where((where) => where.or(names.map((name) => where("graph", "like", `%"${name}"%`))))
		.orderBy("id")
		.execute();
	return rows
		.filter(({ graph }) => usesKnowledgeBase(parseColumn(graph), names))
		.map(({ id, slug }) => ({ id, slug }));
}

const usesKnowledgeBase = ({ nodes }: AgentGraph, names: readonly string[]): boolean =>
	nodes.some(
		(node) => node.kind === "knowledge" && node.knowledgeBases.some((named) => names.includes(named)),
	);

const toColumns = (graph: AgentGraph) => ({
	name: graph.name ?? null,
	description: graph.description ?? null,
	graph: JSON.stringify(graph),
});

const toStoredAgent = (row: AgentRow): StoredAgent => ({ ...toSummary(row), graph: parseColumn(row.graph) });

const toSummary = (row: Omit<AgentRow, "graph">): StoredAgentSummary => ({
	id: row.id,
	slug: row.slug,
	name: row.name,
	description: row.description,
	version: row.version,
	...readAccess(row.access),
	created_at: new Date(row.created_at).toISOString(),
	updated_at: new Date(row.updated_at).toISOString(),
});
