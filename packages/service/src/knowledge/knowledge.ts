import type { FoundPassage, SearchRequest } from "@stemma/client";
import { DEFAULT_TOP_K } from "@stemma/core";
import { clock } from "@stemma/core/internal";
import type { EmbeddingSpace } from "@stemma/routing";
import { createDocumentContentStore, type DocumentContentStore } from "./document-contents";
import { createDocumentStore, type DocumentStore } from "./document-store";
import type { PassageEmbedder } from "./embeddings/passage-embedder";
import { createIngestQueue, type IngestQueue, type IngestQueueOptions } from "./ingest/ingest-queue";
import type { DocumentReader, FindFormat } from "./ingest/reading/document-reader";
import { createKnowledgeBaseNames } from "./knowledge-base-names";
import { createKnowledgeBaseStore, type KnowledgeBaseStore } from "./knowledge-bases";
import { tooManySearches } from "./knowledge-errors";
import { createReindexStore, type ReindexStore } from "./reindex/reindex-store";
import type { KnowledgeRepositories } from "./repositories/knowledge-repositories";
import type { PassageIndex, SearchQuery } from "./repositories/passage-index";
import { createSearchPriority } from "./search/search-priority";

/** A search whose knowledge bases are chosen. */
export type ResolvedSearchRequest = Omit<SearchRequest, "history"> &
	Required<Pick<SearchRequest, "knowledge_base_ids">>;

export interface KnowledgeOptions {
	readonly repositories: KnowledgeRepositories;
	/** See {@link IngestQueueOptions.claims}. */
	readonly claims?: IngestQueueOptions["claims"];
	/** Epoch milliseconds. */
	readonly now?: () => number;
	readonly reader: DocumentReader;
	/** Maximum number of documents in the workspace. Default: unlimited. */
	readonly maxDocuments?: number;
	/** Throws if the disk has no space for more passages; documents then wait until it has. Default: no check. */
	readonly assertSpace?: () => void;
	/** Maximum number of searches that run or wait at once. Default: unlimited. */
	readonly maxSearches?: number;
	/**
	 * Makes the vectors of passages. Default: they are found by words alone. Needs `assertVectorSearch` to have passed.
	 */
	readonly embedder?: PassageEmbedder | undefined;
	/** See {@link IngestQueueOptions.rereadsOutdated}. */
	readonly rereadsOutdated?: boolean | undefined;
	/** Called after each search with its duration in milliseconds, and with the wait for its turn. Default: nothing. */
	readonly onSearch?: (ms: number) => void;
	/** See {@link IngestQueueOptions.onStored}. */
	readonly onStored?: IngestQueueOptions["onStored"];
	/** The store, or the vendor of vectors, failed while documents were read; they are tried again a little later. */
	readonly onError?: (error: unknown) => void;
}

/**
 * Knowledge of a workspace: knowledge bases, their documents, and search for passages in them. Knowledge bases are named by
 * id or slug: slugs are resolved here, and stores know ids alone.
 */
export interface Knowledge
	extends KnowledgeBaseStore,
		DocumentStore,
		DocumentContentStore,
		ReindexStore,
		IngestQueue {
	/** Maximum number of documents in the workspace. */
	readonly maxDocuments: number;
	/** Space that vectors are created in; `null`: none are created. */
	readonly space: EmbeddingSpace | null;
	/** Finds the format of files that external readers read. */
	readonly findAddedFormat: FindFormat;
	/**
	 * Best first. The scores of words and vectors, and those of several queries, are added: they are shares of the best
	 * possible, and compare passages of one answer. `min_score` has no meaning for them; whoever takes the request has
	 * refused it.
	 *
	 * @param queries - what is looked for, in place of the request's own query, with vectors where there are some. A
	 * knowledge base without vectors, or with those of another space, is searched by words alone.
	 * @param signal - takes a search that still waits for its turn out of the queue.
	 * @throws DomainError `knowledge_base_not_found`; `too_many_waiting` where `maxSearches` are running or waiting.
	 */
	search(
		request: ResolvedSearchRequest,
		queries?: readonly SearchQuery[],
		signal?: AbortSignal,
	): Promise<readonly FoundPassage[]>;
	/** See {@link PassageIndex.computeCoverage}. */
	readonly computeCoverage: PassageIndex["computeCoverage"];
	/** Number of documents that wait to be read. */
	countQueued(): Promise<number>;
}

export function createKnowledge({
	repositories,
	claims,
	now = clock.now,
	reader,
	maxDocuments = Number.POSITIVE_INFINITY,
	assertSpace = () => undefined,
	maxSearches = Number.POSITIVE_INFINITY,
	embedder,
	rereadsOutdated,
	onSearch = () => undefined,
	onStored,
	onError = () => undefined,
}: KnowledgeOptions): Knowledge {
	const space = embedder?.space ?? null;
	const { index, uploads } = repositories;
	const { findAddedFormat = () => undefined } = reader;
	const documents = createDocumentStore({
		repository: repositories.documents,
		now,
		maxDocuments,
		space,
		findAddedFormat,
	});
	const names = createKnowledgeBaseNames(repositories.knowledgeBases);
	const knowledgeBases = createKnowledgeBaseStore({
		repository: repositories.knowledgeBases,
		names,
		now,
		space,
	});
	const contents = createDocumentContentStore(repositories.contents);
	const reindexes = createReindexStore({ repository: repositories.reindexes, embedder, now });
	const searchPriority = createSearchPriority();
	const queue = createIngestQueue({
		repositories,
		claims,
		reader,
		embedder,
		now,
		maxDocuments,
		onError,
		whenNoSearches: searchPriority.whenNoSearches,
		whenNoRecentSearches: searchPriority.whenNoRecentSearches,
		assertSpace,
		rereadsOutdated,
		onStored,
	});
	return {
		...{ maxDocuments, space, findAddedFormat },
		...knowledgeBases,
		...toDocumentMethods(documents, contents, names, queue),
		...toReindexMethods(reindexes, names, queue),
		deleteKnowledgeBase: withWake(queue, knowledgeBases.deleteKnowledgeBase),
		search: createSearch({ index, names, searchPriority, maxSearches, onSearch }),
		computeCoverage: index.computeCoverage,
		countQueued: uploads.count,
		...queue,
	};
}

/** Methods on documents, whose knowledge base may be named by id or slug. */
const toDocumentMethods = (
	documents: ReturnType<typeof createDocumentStore>,
	contents: DocumentContentStore,
	names: ReturnType<typeof createKnowledgeBaseNames>,
	queue: { wake(): void },
) => ({
	findText: documents.findText,
	listDocuments: names.withId(documents.listDocuments),
	getDocument: names.withId(documents.getDocument),
	addDocuments: names.withId(withWake(queue, documents.addDocuments)),
	retryDocument: names.withId(withWake(queue, documents.retryDocument)),
	deleteDocument: names.withId(withWake(queue, documents.deleteDocument)),
	openOriginal: names.withId(contents.openOriginal),
	openText: names.withId(contents.openText),
});

/** Methods on moves to another embedding model, whose knowledge base may be named by id or slug. */
const toReindexMethods = (
	reindexes: ReindexStore,
	names: ReturnType<typeof createKnowledgeBaseNames>,
	queue: { wake(): void },
): ReindexStore => ({
	planReindex: names.withId(reindexes.planReindex),
	getReindex: names.withId(reindexes.getReindex),
	startReindex: names.withId(withWake(queue, reindexes.startReindex)),
	dropReindex: names.withId(withWake(queue, reindexes.dropReindex)),
});

interface SearchParts {
	readonly index: PassageIndex;
	readonly names: ReturnType<typeof createKnowledgeBaseNames>;
	readonly searchPriority: ReturnType<typeof createSearchPriority>;
	readonly maxSearches: number;
	readonly onSearch: (ms: number) => void;
}

const createSearch =
	({ index, names, searchPriority, maxSearches, onSearch }: SearchParts): Knowledge["search"] =>
	async (request, queries = [{ text: request.query }], signal) => {
		if (searchPriority.size >= maxSearches) throw tooManySearches(maxSearches);
		const { knowledge_base_ids, top_k = DEFAULT_TOP_K, filter } = request;
		const ids = [...new Set(await names.resolveIds(knowledge_base_ids))];
		const input = { queries, knowledgeBases: ids, topK: top_k, filter };
		const startedAt = performance.now();
		const output = await searchPriority.track(() => index.search(input, signal));
		onSearch(performance.now() - startedAt);
		if ("missing" in output) throw await names.createNotFoundError(output.missing);
		return output.passages;
	};

/** A change after which the queue looks for work. */
const withWake =
	<Args extends readonly unknown[], Result>(
		queue: { wake(): void },
		change: (...args: Args) => Promise<Result>,
	) =>
	async (...args: Args): Promise<Result> => {
		const result = await change(...args);
		queue.wake();
		return result;
	};
