import type { KnowledgeBase, KnowledgeBaseCreate, KnowledgeBaseUpdate } from "@stemma/client";
import { createSemaphore } from "@stemma/core/internal";
import type { EmbeddingSpace, KnowledgeBaseModels } from "@stemma/routing";
import { createId } from "../create-id";
import { DomainError } from "../errors/domain-error";
import { ConstraintError } from "../store/storage-error";
import { storeWithFreeSlug, toSlug } from "../validation/slug";
import { type EmbeddingPin, isPinnedTo } from "./embeddings/pinned-space";
import type { KnowledgeBaseNames } from "./knowledge-base-names";
import { knowledgeBaseNotFound } from "./knowledge-errors";
import type {
	ChangeRecords,
	KnowledgeBasePage,
	KnowledgeBaseRepository,
	StoredKnowledgeBase,
} from "./repositories/knowledge-base-repository";

/** The knowledge bases of a workspace; what they hold is another matter. They are named by id or slug. */
export interface KnowledgeBaseStore extends Pick<KnowledgeBaseNames, "resolveIds"> {
	/**
	 * Creates a knowledge base; without a slug, with a free one that is made from its name.
	 *
	 * @param toRecords - records that are stored in the same transaction.
	 * @throws DomainError `slug_taken`
	 */
	createKnowledgeBase(
		input: KnowledgeBaseCreate,
		toRecords?: (created: KnowledgeBase) => ChangeRecords,
	): Promise<KnowledgeBase>;
	/** Oldest first. */
	listKnowledgeBases(page: KnowledgeBasePage): Promise<KnowledgeBase[]>;
	/** Oldest first, without what they hold. Default: all. */
	readonly listKnowledgeBaseSummaries: KnowledgeBaseRepository["listSummaries"];
	/** @throws DomainError `knowledge_base_not_found` */
	getKnowledgeBase(idOrSlug: string): Promise<KnowledgeBase>;
	/** @throws DomainError `knowledge_base_not_found` where one of them does not exist. */
	assertKnowledgeBasesExist(idsOrSlugs: readonly string[]): Promise<void>;
	/**
	 * Gets the model settings of each knowledge base, in the order in which they are named.
	 *
	 * @throws DomainError `knowledge_base_not_found` where one of them does not exist.
	 */
	getKnowledgeBaseModels(idsOrSlugs: readonly string[]): Promise<KnowledgeBaseModels[]>;
	/**
	 * Lists the model settings of each knowledge base, in the order in which they are named; for one that does not exist,
	 * the entry has no model settings.
	 */
	listKnowledgeBaseModels(idsOrSlugs: readonly string[]): Promise<KnowledgeBaseModels[]>;
	/**
	 * @param records - that are stored in the same transaction.
	 * @throws DomainError `knowledge_base_not_found`, `slug_taken`
	 */
	updateKnowledgeBase(
		idOrSlug: string,
		update: Omit<KnowledgeBaseUpdate, "access">,
		records?: ChangeRecords,
	): Promise<KnowledgeBase>;
	/**
	 * Gone at once for all who ask; what it holds is swept away later.
	 *
	 * @returns its id.
	 * @throws DomainError `knowledge_base_not_found`
	 */
	deleteKnowledgeBase(idOrSlug: string): Promise<string>;
}

export interface KnowledgeBaseStoreOptions {
	readonly repository: KnowledgeBaseRepository;
	readonly names: KnowledgeBaseNames;
	readonly now: () => number;
	/** Space in which vectors are made; `null` where none are made. */
	readonly space: EmbeddingSpace | null;
}

export function createKnowledgeBaseStore({
	repository,
	names,
	now,
	space,
}: KnowledgeBaseStoreOptions): KnowledgeBaseStore {
	/** A slug that was found free stays free until it is stored, but for other instances. */
	const createOneByOne = createSemaphore(1);
	const getKnowledgeBase = async (id: string): Promise<KnowledgeBase> => {
		const stored = await repository.find(id);
		if (stored === undefined) throw knowledgeBaseNotFound(id);
		return toKnowledgeBase(stored, space);
	};
	async function readBases(idsOrSlugs: readonly string[]) {
		const ids = await names.resolveIds(idsOrSlugs);
		return { ids, stored: new Map((await repository.listSummaries({ ids })).map((base) => [base.id, base])) };
	}
	async function getKnowledgeBaseModels(idsOrSlugs: readonly string[]): Promise<KnowledgeBaseModels[]> {
		const { ids, stored } = await readBases(idsOrSlugs);
		const missing = ids.find((id) => !stored.has(id));
		if (missing !== undefined) throw await names.createNotFoundError(missing);
		return ids.map((id) => toModels(id, stored.get(id), space));
	}
	return {
		resolveIds: names.resolveIds,
		createKnowledgeBase(input, toRecords = () => ({})) {
			const { slug: requested, name } = input;
			async function store(slug: string): Promise<KnowledgeBase> {
				const stored = toStored(input, slug, now());
				const created = toKnowledgeBase(stored, space);
				await rejectDuplicateSlug(repository.insert(stored, toRecords(created)), slug);
				return created;
			}
			return createOneByOne.run(() =>
				requested === undefined
					? storeWithFreeSlug(toSlug(name) || UNNAMED_SLUG, repository.listSlugs, store)
					: store(requested),
			);
		},
		listKnowledgeBases: async (page) =>
			(await repository.list(page)).map((stored) => toKnowledgeBase(stored, space)),
		listKnowledgeBaseSummaries: repository.listSummaries,
		getKnowledgeBase: names.withId(getKnowledgeBase),
		async assertKnowledgeBasesExist(idsOrSlugs) {
			await getKnowledgeBaseModels(idsOrSlugs);
		},
		getKnowledgeBaseModels,
		async listKnowledgeBaseModels(idsOrSlugs) {
			const { ids, stored } = await readBases(idsOrSlugs);
			return ids.map((id) => toModels(id, stored.get(id), space));
		},
		updateKnowledgeBase: names.withId(
			async (id, update: Omit<KnowledgeBaseUpdate, "access">, records: ChangeRecords = {}) => {
				const updated = repository.update(id, { ...update, updated_at: now() }, records);
				if (!(await rejectDuplicateSlug(updated, update.slug))) throw knowledgeBaseNotFound(id);
				return getKnowledgeBase(id);
			},
		),
		deleteKnowledgeBase: names.withId(async (id) => {
			if (!(await repository.delete(id, now()))) throw knowledgeBaseNotFound(id);
			return id;
		}),
	};
}

/** Base of slugs for names that have no letters or digits for one. */
const UNNAMED_SLUG = "knowledge-base";

async function rejectDuplicateSlug<Written>(
	written: Promise<Written>,
	slug: string | undefined,
): Promise<Written> {
	try {
		return await written;
	} catch (error) {
		if (slug === undefined || !(error instanceof ConstraintError)) throw error;
		throw new DomainError("slug_taken", `Another knowledge base has the slug "${slug}".`, {
			param: "slug",
			hint: "Choose another slug.",
		});
	}
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

/** Model settings of a knowledge base; none where it does not exist. */
function toModels(
	id: string,
	base: Pick<StoredKnowledgeBase, "llm_provider" | "llm_model" | "embedding"> | undefined,
	space: EmbeddingSpace | null,
): KnowledgeBaseModels {
	if (base === undefined) return { id, embedding: null };
	const { llm_provider, llm_model, embedding } = base;
	return { id, llm_provider, llm_model, embedding: toEmbedding(embedding, space) };
}

const toStored = (
	{ name, description = null, llm_provider = null, llm_model = null }: KnowledgeBaseCreate,
	slug: string,
	now: number,
): StoredKnowledgeBase => ({
	...{ id: createId("kb"), slug, name, description, llm_provider, llm_model },
	documents: { total: 0, queued: 0, processing: 0, ready: 0, failed: 0 },
	passage_count: 0,
	embedding: undefined,
	created_at: now,
	updated_at: now,
});

const toKnowledgeBase = (
	{ embedding, created_at, updated_at, ...stored }: StoredKnowledgeBase,
	space: EmbeddingSpace | null,
): KnowledgeBase => ({
	...stored,
	embedding: embedding
		? {
				model: embedding.model,
				dimensions: embedding.length,
				in_use: space !== null && isPinnedTo(embedding, space),
			}
		: null,
	created_at: new Date(created_at).toISOString(),
	updated_at: new Date(updated_at).toISOString(),
});
