import type { StoredAgent, StoredAgentSummary } from "@stemma/client";
import type { AgentGraph } from "@stemma/core";
import { clock, quote } from "@stemma/core/internal";
import { type Kysely, type Selectable, sql } from "kysely";
import { createId } from "../create-id";
import { DomainError } from "../errors/domain-error";
import type { Database } from "../store/database";
import { parseColumn } from "../store/json-column";
import { ConstraintError } from "../store/storage-error";
import type { WorkspaceTables } from "../store/workspace-tables";
import type { AgentTables } from "./agent-tables";
import { toSlug } from "./slug";

/** The agents of a workspace. `idOrSlug` is either. */
export interface Agents {
	/**
	 * @param onCreated - runs in the same transaction.
	 * @throws DomainError `slug_taken`.
	 */
	create(graph: AgentGraph, slug: string | undefined, onCreated?: OnCreated): Promise<StoredAgent>;
	/** @throws DomainError `slug_taken`, `agent_not_found`. */
	replace(idOrSlug: string, graph: AgentGraph, slug: string | undefined): Promise<StoredAgent>;
	/** @throws DomainError `agent_not_found`. */
	get(idOrSlug: string): Promise<StoredAgent>;
	/** Lists agents in the order of creation; one more than the limit, where there are more. */
	list(limit: number, after: string | undefined): Promise<StoredAgentSummary[]>;
	/** @throws DomainError `agent_not_found`. */
	delete(idOrSlug: string): Promise<string>;
}

export type OnCreated = (transaction: Kysely<WorkspaceTables>, created: StoredAgent) => Promise<void>;

type AgentRow = Selectable<AgentTables["agents"]>;

export function createAgents(database: Database<WorkspaceTables>): Agents {
	const { read, write } = database;

	async function getRow(idOrSlug: string): Promise<AgentRow> {
		const row = await read
			.selectFrom("agents")
			.selectAll()
			.where(idOrSlug.startsWith("ag_") ? "id" : "slug", "=", idOrSlug)
			.executeTakeFirst();
		if (row === undefined) throw agentNotFound(idOrSlug);
		return row;
	}

	/** The wished slug, or the first that is free of `support-desk`, `support-desk-2`, … */
	async function findSlug(id: string, name: string | undefined): Promise<string> {
		const base = toSlug(name ?? "");
		if (base === "") return id.replace("_", "-");
		const taken = await read.selectFrom("agents").select("slug").where("slug", "like", `${base}%`).execute();
		const slugs = new Set(taken.map(({ slug }) => slug));
		for (let number = 1; ; number++) {
			const slug = number === 1 ? base : `${base.slice(0, 56)}-${number}`;
			if (!slugs.has(slug)) return slug;
		}
	}

	return {
		async create(graph, slug, onCreated) {
			const now = clock.now();
			const id = createId("ag");
			const row = {
				id,
				slug: slug ?? (await findSlug(id, graph.name)),
				...toColumns(graph),
				version: 1,
				created_at: now,
				updated_at: now,
			};
			const created = toStoredAgent(row);
			const creating = write.transaction().execute(async (transaction) => {
				await transaction.insertInto("agents").values(row).execute();
				await onCreated?.(transaction, created);
			});
			await rejectDuplicateSlug(creating, row.slug);
			return created;
		},
		async replace(idOrSlug, graph, slug) {
			const { id, slug: oldSlug } = await getRow(idOrSlug);
			const columns = toColumns(graph);
			const replacing = write
				.updateTable("agents")
				.set({
					...columns,
					slug: slug ?? oldSlug,
					// The same graph again is the same version.
					version: sql<number>`version + (graph <> ${columns.graph})`,
					updated_at: clock.now(),
				})
				.where("id", "=", id)
				.returningAll()
				.executeTakeFirst();
			const row = await rejectDuplicateSlug(replacing, slug ?? oldSlug);
			if (row === undefined) throw agentNotFound(idOrSlug);
			return toStoredAgent(row);
		},
		get: async (idOrSlug) => toStoredAgent(await getRow(idOrSlug)),
		async list(limit, after) {
			const rows = await read
				.selectFrom("agents")
				.select(["id", "slug", "name", "description", "version", "created_at", "updated_at"])
				.$if(after !== undefined, (query) => query.where("id", ">", after ?? ""))
				.orderBy("id")
				.limit(limit + 1)
				.execute();
			return rows.map(toSummary);
		},
		async delete(idOrSlug) {
			const { id } = await getRow(idOrSlug);
			await write.deleteFrom("agents").where("id", "=", id).execute();
			return id;
		},
	};
}

const toColumns = (graph: AgentGraph) => ({
	name: graph.name ?? null,
	description: graph.description ?? null,
	graph: JSON.stringify(graph),
});

export const agentNotFound = (idOrSlug: string): DomainError =>
	new DomainError("agent_not_found", `There is no agent ${quote(idOrSlug)}.`, {
		hint: "GET /v1/agents lists the agents of the workspace; the id and the slug both work.",
	});

async function rejectDuplicateSlug<Written>(written: Promise<Written>, slug: string): Promise<Written> {
	try {
		return await written;
	} catch (error) {
		if (!(error instanceof ConstraintError)) throw error;
		throw new DomainError("slug_taken", `Another agent has the slug "${slug}".`, {
			param: "slug",
			hint: "Choose another slug, or replace that agent with PUT.",
		});
	}
}

const toStoredAgent = (row: Omit<AgentRow, "number">): StoredAgent => ({
	...toSummary(row),
	// Only checked graphs are kept.
	graph: parseColumn(row.graph),
});

const toSummary = (row: Omit<AgentRow, "number" | "graph">): StoredAgentSummary => ({
	id: row.id,
	slug: row.slug,
	name: row.name,
	description: row.description,
	version: row.version,
	created_at: new Date(row.created_at).toISOString(),
	updated_at: new Date(row.updated_at).toISOString(),
});
