import type { FoundPassage, SearchRequest } from "@stemma/client";
import type { Database } from "../store/database";
import { DELETE_KNOWLEDGE_BASE, type DeleteKnowledgeBaseInput } from "./delete-jobs";
import { createDocumentReader, type DocumentReader } from "./document-reader";
import { createIngestQueue } from "./ingest-queue";
import { createKnowledgeBaseStore, type KnowledgeBaseStore } from "./knowledge-bases";
import { knowledgeBaseNotFound } from "./knowledge-errors";
import type { KnowledgeTables } from "./knowledge-tables";
import { SEARCH, type SearchInput, type SearchOutput } from "./search-job";
import { createSearchTraffic } from "./search-traffic";
import { createDocumentStore, type DocumentStore } from "./stored-documents";

export interface KnowledgeOptions {
	readonly database: Database<KnowledgeTables>;
	/** Epoch milliseconds. */
	readonly now?: () => number;
	/** Default: in a thread of its own. */
	readonly reader?: DocumentReader;
	/** How many documents the workspace may have. Default: any number. */
	readonly maxDocuments?: number;
	/** The store failed while documents were read; they are tried again a little later. */
	readonly onError?: (error: unknown) => void;
}

/** What a workspace knows: knowledge bases, their documents, and finding passages in them. */
export interface Knowledge extends KnowledgeBaseStore, DocumentStore {
	/** Gone at once for all who ask. @throws ApiError `knowledge_base_not_found` */
	deleteKnowledgeBase(id: string): Promise<void>;
	/**
	 * Best first. `min_score` has no meaning for words alone; whoever takes the request has refused it.
	 *
	 * @throws ApiError `knowledge_base_not_found`
	 */
	search(request: SearchRequest): Promise<readonly FoundPassage[]>;
	/** Begins to read documents; goes on where the process before ended. */
	start(): Promise<void>;
	/** Resolves when all documents are read and all that was deleted is swept away. */
	whenIdle(): Promise<void>;
	/** Finishes the document that is being read; the rest stays queued. */
	stop(): Promise<void>;
}

const DEFAULT_TOP_K = 8;

export function createKnowledge({
	database,
	now = Date.now,
	reader = createDocumentReader(),
	maxDocuments = Number.POSITIVE_INFINITY,
	onError = () => undefined,
}: KnowledgeOptions): Knowledge {
	const documents = createDocumentStore(database, now, maxDocuments);
	const traffic = createSearchTraffic();
	const queue = createIngestQueue({ database, reader, now, onError, whenQuiet: traffic.whenQuiet });
	return {
		...createKnowledgeBaseStore(database, now),
		...documents,
		async addDocuments(knowledgeBaseId, uploads) {
			const added = await documents.addDocuments(knowledgeBaseId, uploads);
			queue.wake();
			return added;
		},
		async deleteDocument(knowledgeBaseId, id) {
			await documents.deleteDocument(knowledgeBaseId, id);
			queue.wake();
		},
		async deleteKnowledgeBase(id) {
			const input: DeleteKnowledgeBaseInput = { id, now: now() };
			if (!(await database.writeJob<boolean>(DELETE_KNOWLEDGE_BASE, input))) throw knowledgeBaseNotFound(id);
			queue.wake();
		},
		async search({ query, knowledge_base_ids, top_k = DEFAULT_TOP_K, filter }) {
			const input: SearchInput = { query, knowledgeBases: knowledge_base_ids, topK: top_k, filter };
			const output = await traffic.during(() => database.readJob<SearchOutput>(SEARCH, input));
			if ("missing" in output) throw knowledgeBaseNotFound(output.missing);
			return output.passages;
		},
		start: queue.start,
		whenIdle: queue.whenIdle,
		stop: queue.stop,
	};
}
