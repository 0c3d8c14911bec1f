import type { DocumentCounts, KnowledgeBase, KnowledgeBaseCreate, KnowledgeBaseUpdate } from "@stemma/client";
import type { EmbeddingSpace, KnowledgeBaseModels } from "@stemma/routing";
import type { Kysely, Selectable } from "kysely";
import { createId } from "../create-id";
import type { PageRequest } from "../pagination";
import type { Database } from "../store/database";
import { parsePin } from "../store/sqlite/knowledge/jobs/embedding-pins";
import type { KnowledgeBaseTable, KnowledgeTables } from "../store/sqlite/knowledge/knowledge-tables";
import { type EmbeddingPin, isPinnedTo } from "./embeddings/pinned-space";
import { knowledgeBaseNotFound } from "./knowledge-errors";

type KnowledgeBaseRow = Selectable<KnowledgeBaseTable>;

/** The knowledge bases of a workspace; what they hold is another matter. */
export interface KnowledgeBaseStore {
	/** @param onCreated - runs in the same transaction. */
	createKnowledgeBase(
		input: KnowledgeBaseCreate,
		onCreated?: (transaction: Kysely<KnowledgeTables>, created: KnowledgeBase) => Promise<void>,
	): Promise<KnowledgeBase>;
	/** Oldest first. */
	listKnowledgeBases(options: PageRequest): Promise<KnowledgeBase[]>;
	/** All of them, oldest first, without what they hold. */
	listKnowledgeBaseNames(): Promise<readonly { readonly id: string; readonly name: string }[]>;
	/** @throws DomainError `knowledge_base_not_found` */
	getKnowledgeBase(id: string): Promise<KnowledgeBase>;
	/** @throws DomainError `knowledge_base_not_found` where one of them does not exist. */
	assertKnowledgeBasesExist(ids: readonly string[]): Promise<void>;
	/**
	 * Lists the model settings of each knowledge base, in the order of the ids; for an id that does not exist, the
	 * entry has no model settings.
	 */
	listKnowledgeBaseModels(ids: readonly string[]): Promise<KnowledgeBaseModels[]>;
	/**
	 * @param onUpdated - runs in the same transaction.
	 * @throws DomainError `knowledge_base_not_found`
	 */
	updateKnowledgeBase(
		id: string,
		update: KnowledgeBaseUpdate,
		onUpdated?: (transaction: Kysely<KnowledgeTables>) => Promise<void>,
	): Promise<KnowledgeBase>;
	/** Gone at once for all who ask; what it holds is swept away later. @throws DomainError `knowledge_base_not_found` */
	deleteKnowledgeBase(id: string): Promise<void>;
}

export function createKnowledgeBaseStore(
	database: Database<KnowledgeTables>,
	now: () => number,
	/** Space in which vectors are made; `null` where none are made. */
	space: EmbeddingSpace | null,
): KnowledgeBaseStore {
	const getKnowledgeBase = async (id: string): Promise<KnowledgeBase> => {
		const row = await selectNotDeleted(database.read).where("id", "=", id).executeTakeFirst();
		if (row === undefined) throw knowledgeBaseNotFound(id);
		const [base] = await addCounts(database.read, [row]);
		if (base === undefined) throw knowledgeBaseNotFound(id);
		return base;
	};
	return {
		createKnowledgeBase: (input, onCreated) =>
			database.write.transaction().execute(async (transaction) => {
				const row = await transaction
					.insertInto("knowledge_bases")
					.values({ id: createId("kb"), ...toColumns(input), ...toTimestamps(now()) })
					.returningAll()
					.executeTakeFirstOrThrow();
				const created = toKnowledgeBase(row, NO_DOCUMENTS);
				await onCreated?.(transaction, created);
				return created;
			}),
		async listKnowledgeBases({ limit, after = "" }) {
			const rows = await selectNotDeleted(database.read)
				.where("id", ">", after)
				.orderBy("id")
				.limit(limit)
				.execute();
			return addCounts(database.read, rows);
		},
		listKnowledgeBaseNames: () =>
			database.read
				.selectFrom("knowledge_bases")
				.select(["id", "name"])
				.where("deleted_at", "is", null)
				.orderBy("id")
				.execute(),
		getKnowledgeBase,
		async assertKnowledgeBasesExist(ids) {
			const rows = await selectNotDeleted(database.read).where("id", "in", ids).execute();
			const known = new Set(rows.map(({ id }) => id));
			const missing = ids.find((id) => !known.has(id));
			if (missing !== undefined) throw knowledgeBaseNotFound(missing);
		},
		async listKnowledgeBaseModels(ids) {
			const rows = await database.read
				.selectFrom("knowledge_bases")
				.select(["id", "llm_provider", "llm_model", "embedding"])
				.where("id", "in", ids)
				.where("deleted_at", "is", null)
				.execute();
			const known = new Map(
				rows.map(({ embedding, ...row }) => [
					row.id,
					{ ...row, embedding: toEmbedding(parsePin(embedding), space) },
				]),
			);
			return ids.map((id) => known.get(id) ?? { id, embedding: null });
		},
		async updateKnowledgeBase(id, update, onUpdated) {
			await database.write.transaction().execute(async (transaction) => {
				const { numUpdatedRows } = await transaction
					.updateTable("knowledge_bases")
					.set({ ...update, updated_at: now() })
					.where("id", "=", id)
					.where("deleted_at", "is", null)
					.executeTakeFirst();
				if (numUpdatedRows === 0n) throw knowledgeBaseNotFound(id);
				await onUpdated?.(transaction);
			});
			return getKnowledgeBase(id);
		},
		async deleteKnowledgeBase(id) {
			const { numUpdatedRows } = await database.write
				.updateTable("knowledge_bases")
				.set({ deleted_at: now() })
				.where("id", "=", id)
				.where("deleted_at", "is", null)
				.executeTakeFirst();
			if (numUpdatedRows === 0n) throw knowledgeBaseNotFound(id);
		},
	};
}

/**
 * Converts the pin of a knowledge base to its embedding; a pin to the deployment's space gets the deployment's name for
 * it.
 */
function toEmbedding(pin: EmbeddingPin, space: EmbeddingSpace | null): KnowledgeBaseModels["embedding"] {
	if (!pin) return pin;
	if (space !== null && isPinnedTo(pin, space)) return space;
	const { length: _, ...pinned } = pin;
	return pinned;
}

const selectNotDeleted = (database: Kysely<KnowledgeTables>) =>
	database.selectFrom("knowledge_bases").selectAll().where("deleted_at", "is", null);

const toColumns = ({ name, description, llm_provider, llm_model }: KnowledgeBaseCreate) => ({
	name,
	description: description ?? null,
	llm_provider: llm_provider ?? null,
	llm_model: llm_model ?? null,
});

const toTimestamps = (now: number) => ({ created_at: now, updated_at: now, deleted_at: null });

const NO_DOCUMENTS: DocumentCounts = { total: 0, queued: 0, processing: 0, ready: 0, failed: 0 };

async function addCounts(
	database: Kysely<KnowledgeTables>,
	rows: readonly KnowledgeBaseRow[],
): Promise<KnowledgeBase[]> {
	if (rows.length === 0) return [];
	const groups = await database
		.selectFrom("documents")
		.select(({ fn }) => ["knowledge_base", "status", fn.countAll<number>().as("count")])
		.where(
			"knowledge_base",
			"in",
			rows.map(({ number }) => number),
		)
		.groupBy(["knowledge_base", "status"])
		.execute();
	return rows.map((row) => {
		const counts = { ...NO_DOCUMENTS };
		for (const { status, count } of groups.filter(({ knowledge_base }) => knowledge_base === row.number)) {
			counts[status] = count;
			counts.total += count;
		}
		return toKnowledgeBase(row, counts);
	});
}

const toResource = (pin: EmbeddingPin): KnowledgeBase["embedding"] =>
	pin ? { model: pin.model, dimensions: pin.length } : null;

const toKnowledgeBase = (row: KnowledgeBaseRow, documents: DocumentCounts): KnowledgeBase => ({
	id: row.id,
	name: row.name,
	description: row.description,
	llm_provider: row.llm_provider,
	llm_model: row.llm_model,
	documents,
	passage_count: row.passage_count,
	embedding: toResource(parsePin(row.embedding)),
	created_at: new Date(row.created_at).toISOString(),
	updated_at: new Date(row.updated_at).toISOString(),
});
