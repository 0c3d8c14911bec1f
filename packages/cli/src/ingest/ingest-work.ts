import { ApiError, type Knowledge, type KnowledgeDocument } from "@stemma/client";
import { UnreadableError } from "@stemma/service/documents";
import { listAll, WHOLE_PAGES } from "../connection/list-all";
import { forEachConcurrently } from "./for-each-concurrently";

/** One ingest under way: where to, and what failed so far. */
export interface IngestWork {
	readonly knowledge: Knowledge;
	readonly knowledgeBaseId: string;
	/** Why a document failed, by its source. */
	readonly failures: Map<string, string>;
	readonly onProgress: (progress: IngestProgress) => void;
	readonly signal: AbortSignal | undefined;
}

export interface IngestProgress {
	readonly stage: IngestStage;
	readonly done: number;
	readonly total: number;
	/** What was done last; empty where that is not known. */
	readonly label: string;
}

export type IngestStage = "Comparing" | "Removing" | "Uploading" | "Indexing";

/** A step for each of several documents. */
export interface IngestStep<Item> {
	readonly stage: IngestStage;
	readonly items: readonly Item[];
	readonly sourceOf: (item: Item) => string;
	readonly work: (item: Item) => Promise<unknown>;
}

const AT_ONCE = 4;

/** Does a step for all documents. Those that fail on their own account are kept as failures, and the others go on. */
export async function runStep<Item>(
	{ failures, onProgress, signal }: IngestWork,
	{ stage, items, sourceOf, work }: IngestStep<Item>,
): Promise<void> {
	let done = 0;
	await forEachConcurrently(items, AT_ONCE, async (item) => {
		signal?.throwIfAborted();
		await work(item).catch((error: unknown) => failures.set(sourceOf(item), toReason(error)));
		onProgress({ stage, done: ++done, total: items.length, label: sourceOf(item) });
	});
}

/** What the service says of one document; anything else would be the same for all of them. */
const ABOUT_ONE_DOCUMENT = [400, 413, 415, 422];

/** @throws the error itself where it is not about the document. */
function toReason(error: unknown): string {
	if (error instanceof UnreadableError) return error.message;
	if (ApiError.is(error) && ABOUT_ONE_DOCUMENT.includes(error.status)) return error.message;
	throw error;
}

/** All documents of the knowledge base. */
export const listStored = ({
	knowledge,
	knowledgeBaseId,
	signal,
}: IngestWork): Promise<KnowledgeDocument[]> =>
	listAll(knowledge.documents.list(knowledgeBaseId, WHOLE_PAGES, { signal }));
