import type { KnowledgeBase, KnowledgeBaseCreate, KnowledgeBaseUpdate } from "@stemma/client";
import type { EmbeddingSpace, KnowledgeBaseModels } from "@stemma/routing";
import { createId } from "../create-id";
import type { PageRequest } from "../pagination";
import { type EmbeddingPin, isPinnedTo } from "./embeddings/pinned-space";
import { knowledgeBaseNotFound } from "./knowledge-errors";
import type {
	ChangeRecords,
	KnowledgeBaseRepository,
	StoredKnowledgeBase,
} from "./repositories/knowledge-base-repository";

/** The knowledge bases of a workspace; what they hold is another matter. */
export interface KnowledgeBaseStore {
	/** @param toRecords - records that are stored in the same transaction. */
	createKnowledgeBase(
		input: KnowledgeBaseCreate,
		toRecords?: (created: KnowledgeBase) => ChangeRecords,
	): Promise<KnowledgeBase>;
	/** Oldest first. */
	listKnowledgeBases(page: PageRequest): Promise<KnowledgeBase[]>;
	/** Oldest first, without what they hold. Default: all. */
	readonly listKnowledgeBaseSummaries: KnowledgeBaseRepository["listSummaries"];
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
	 * @param records - that are stored in the same transaction.
	 * @throws DomainError `knowledge_base_not_found`
	 */
	updateKnowledgeBase(
		id: string,
		update: KnowledgeBaseUpdate,
		records?: ChangeRecords,
	): Promise<KnowledgeBase>;
	/** Gone at once for all who ask; what it holds is swept away later. @throws DomainError `knowledge_base_not_found` */
	deleteKnowledgeBase(id: string): Promise<void>;
}

/** @param space - in which vectors are made; `null` where none are made. */
export function createKnowledgeBaseStore(
	repository: KnowledgeBaseRepository,
	now: () => number,
	space: EmbeddingSpace | null,
): KnowledgeBaseStore {
	const getKnowledgeBase = async (id: string): Promise<KnowledgeBase> => {
		const stored = await repository.find(id);
		if (stored === undefined) throw knowledgeBaseNotFound(id);
		return toKnowledgeBase(stored);
	};
	return {
		async createKnowledgeBase(input, toRecords = () => ({})) {
			const stored = toStored(input, now());
			const created = toKnowledgeBase(stored);
			await repository.insert(stored, toRecords(created));
			return created;
		},
		listKnowledgeBases: async (page) => (await repository.list(page)).map(toKnowledgeBase),
		listKnowledgeBaseSummaries: repository.listSummaries,
		getKnowledgeBase,
		async assertKnowledgeBasesExist(ids) {
			const known = new Set((await repository.listSummaries({ ids })).map(({ id }) => id));
			const missing = ids.find((id) => !known.has(id));
			if (missing !== undefined) throw knowledgeBaseNotFound(missing);
		},
		async listKnowledgeBaseModels(ids) {
			const stored = new Map((await repository.listSummaries({ ids })).map((base) => [base.id, base]));
			return ids.map((id) => {
				const base = stored.get(id);
				if (base === undefined) return { id, embedding: null };
				const { llm_provider, llm_model, embedding } = base;
				return { id, llm_provider, llm_model, embedding: toEmbedding(embedding, space) };
			});
		},
		async updateKnowledgeBase(id, update, records = {}) {
			if (!(await repository.update(id, { ...update, updated_at: now() }, records)))
				throw knowledgeBaseNotFound(id);
			return getKnowledgeBase(id);
		},
		async deleteKnowledgeBase(id) {
			if (!(await repository.delete(id, now()))) throw knowledgeBaseNotFound(id);
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

const toStored = (
	{ name, description = null, llm_provider = null, llm_model = null }: KnowledgeBaseCreate,
	now: number,
): StoredKnowledgeBase => ({
	...{ id: createId("kb"), name, description, llm_provider, llm_model },
	documents: { total: 0, queued: 0, processing: 0, ready: 0, failed: 0 },
	passage_count: 0,
	embedding: undefined,
	created_at: now,
	updated_at: now,
});

const toKnowledgeBase = ({
	embedding,
	created_at,
	updated_at,
	...stored
}: StoredKnowledgeBase): KnowledgeBase => ({
	...stored,
	embedding: embedding ? { model: embedding.model, dimensions: embedding.length } : null,
	created_at: new Date(created_at).toISOString(),
	updated_at: new Date(updated_at).toISOString(),
});
