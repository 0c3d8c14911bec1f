import type { StoredAgent, StoredAgentSummary } from "@stemma/client";
import type { AgentGraph } from "@stemma/core";
import { type Kysely, sql } from "kysely";
import type { AgentRepository } from "../../agents/agent-repository";
import type { Queries } from "../database";
import { parseColumn } from "../json-column";
import type { WorkspaceTables } from "../workspace-tables";
import { readAccess } from "./access/access-repository";
import { keepLimits } from "./access/run-limits";
import type { AgentRow } from "./agent-tables";
import { replaceRecord } from "./idempotency-repository";

/** Agents in the SQLite file of a workspace. */
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
	insert: ({ graph, created_at, updated_at, access: _, ...agent }, request) =>
		write.transaction().execute(async (transaction) => {
			const times = { created_at: Date.parse(created_at), updated_at: Date.parse(updated_at) };
			await transaction
				.insertInto("agents")
				.values({ ...agent, ...toColumns(graph), ...times })
				.execute();
			await replaceRecord(transaction, request);
		}),
	async replace(id, { graph, slug, updated_at, expectedVersion }) {
		const columns = toColumns(graph);
		const row = await write
			.updateTable("agents")
			.set({
				...columns,
				slug,
				version: sql<number>`version + (graph <> ${columns.graph})`,
				updated_at: Date.parse(updated_at),
			})
			.where("id", "=", id)
			.$if(expectedVersion !== undefined, (query) => query.where("version", "=", expectedVersion ?? 0))
			.returningAll()
			.executeTakeFirst();
		return row && toStoredAgent(row);
	},
	delete: (id) =>
		write.transaction().execute(async (transaction) => {
			await keepLimits(transaction, id);
			await transaction.deleteFrom("agents").where("id", "=", id).execute();
		}),
});

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
