import type { FoundPassage, SearchRequest } from "@stemma/client";
import { DEFAULT_TOP_K } from "@stemma/core";
import { clock } from "@stemma/core/internal";
import { createDocumentStore, type DocumentStore } from "./document-store";
import type { PassageEmbedder } from "./embeddings/passage-embedder";
import type { DocumentReader } from "./ingest/document-reader";
import { createIngestQueue, type IngestQueue } from "./ingest/ingest-queue";
import { createKnowledgeBaseStore, type KnowledgeBaseStore } from "./knowledge-bases";
import { knowledgeBaseNotFound, tooManySearches } from "./knowledge-errors";
import type { KnowledgeRepositories } from "./repositories/knowledge-repositories";
import type { PassageIndex, SearchQuery } from "./repositories/passage-index";
import { createSearchPriority } from "./search/search-priority";

/** A search whose knowledge bases are chosen. */
export type ResolvedSearchRequest = SearchRequest & Required<Pick<SearchRequest, "knowledge_base_ids">>;

export interface KnowledgeOptions {
	readonly repositories: KnowledgeRepositories;
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
	/** The store, or the vendor of vectors, failed while documents were read; they are tried again a little later. */
	readonly onError?: (error: unknown) => void;
}

/** Knowledge of a workspace: knowledge bases, their documents, and search for passages in them. */
export interface Knowledge extends KnowledgeBaseStore, DocumentStore, Omit<IngestQueue, "wake"> {
	/**
	 * Best first. Hits by words and by vectors, and those of several queries, are fused by rank: scores compare passages of
	 * one answer, and nothing else. `min_score` has no meaning for them; whoever takes the request has refused it.
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
	/** Compares the words of a question with those of passages, as they are compared in a search. */
	readonly computeCoverage: PassageIndex["computeCoverage"];
	/** Number of documents that wait to be read. */
	countQueued(): Promise<number>;
}

export function createKnowledge({
	repositories,
	now = clock.now,
	reader,
	maxDocuments = Number.POSITIVE_INFINITY,
	assertSpace = () => undefined,
	maxSearches = Number.POSITIVE_INFINITY,
	embedder,
	onError = () => undefined,
}: KnowledgeOptions): Knowledge {
	const space = embedder?.space ?? null;
	const { index, uploads } = repositories;
	const documents = createDocumentStore({ repository: repositories.documents, now, maxDocuments, space });
	const knowledgeBases = createKnowledgeBaseStore(repositories.knowledgeBases, now, space);
	const searchPriority = createSearchPriority();
	const { wake, ...queue } = createIngestQueue({
		repositories,
		reader,
		embedding: embedder && space !== null ? { embedder, space } : undefined,
		now,
		onError,
		whenNoSearches: searchPriority.whenNoSearches,
		assertSpace,
	});
	return {
		...knowledgeBases,
		...documents,
		async addDocuments(knowledgeBaseId, uploads) {
			const added = await documents.addDocuments(knowledgeBaseId, uploads);
			wake();
			return added;
		},
		async deleteDocument(knowledgeBaseId, id) {
			await documents.deleteDocument(knowledgeBaseId, id);
			wake();
		},
		async deleteKnowledgeBase(id) {
			await knowledgeBases.deleteKnowledgeBase(id);
			wake();
		},
		async search(request, queries = [{ text: request.query }], signal) {
			if (searchPriority.size >= maxSearches) throw tooManySearches(maxSearches);
			const { knowledge_base_ids, top_k = DEFAULT_TOP_K, filter } = request;
			const input = { queries, knowledgeBases: knowledge_base_ids, topK: top_k, filter };
			const output = await searchPriority.track(() => index.search(input, signal));
			if ("missing" in output) throw knowledgeBaseNotFound(output.missing);
			return output.passages;
		},
		computeCoverage: index.computeCoverage,
		countQueued: uploads.count,
		...queue,
	};
}
