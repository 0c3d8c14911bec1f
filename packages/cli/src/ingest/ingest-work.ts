import { ApiError, type Knowledge, type KnowledgeDocument } from "@stemma/client";
import { UnreadableError } from "@stemma/documents/folder";
import { FULL_PAGES, listAll } from "../connection/list-all";
import { forEachConcurrently } from "./for-each-concurrently";

/** One ingest under way: where to, and what failed so far. */
export interface IngestWork {
	readonly knowledge: Knowledge;
	readonly knowledgeBaseId: string;
	/** Reasons why documents failed, by their source. */
	readonly failures: Map<string, string>;
	readonly onProgress: (progress: IngestProgress) => void;
	/** Called each time that an upload waits because the service is too busy for it. */
	readonly onBusy?: ((error: ApiError) => void) | undefined;
	readonly signal: AbortSignal | undefined;
}

export interface IngestProgress {
	readonly stage: IngestStage;
	readonly done: number;
	readonly total: number;
	/** Item that was done last; empty if not known. */
	readonly label: string;
}

export type IngestStage = "Comparing" | "Removing" | "Uploading" | "Indexing";

/** Work for each of several items. */
export interface IngestStep<Item> {
	readonly stage: IngestStage;
	readonly items: readonly Item[];
	/** The documents that an item stands for. */
	readonly sourcesOf: (item: Item) => readonly string[];
	readonly work: (item: Item) => Promise<unknown>;
}

const CONCURRENCY = 4;

/** Runs a step for all items. Failures of single documents are recorded, and the others continue. */
export async function runStep<Item>(
	{ failures, onProgress, signal }: IngestWork,
	{ stage, items, sourcesOf, work }: IngestStep<Item>,
): Promise<void> {
	const total = items.reduce((sum, item) => sum + sourcesOf(item).length, 0);
	let done = 0;
	await forEachConcurrently(items, CONCURRENCY, async (item) => {
		signal?.throwIfAborted();
		const sources = sourcesOf(item);
		await work(item).catch((error: unknown) => {
			const reason = toReason(error);
			for (const source of sources) failures.set(source, reason);
		});
		done += sources.length;
		onProgress({ stage, done, total, label: sources.at(-1) ?? "" });
	});
}

/** @throws the error itself where it is not about the document. */
function toReason(error: unknown): string {
	if (isAboutDocument(error)) return error.message;
	throw error;
}

const REFUSALS_OF_DOCUMENTS = [400, 413, 415, 422];

/** Checks whether an error concerns one document; any other error would be the same for all of them. */
export const isAboutDocument = (error: unknown): error is Error =>
	error instanceof UnreadableError || (ApiError.is(error) && REFUSALS_OF_DOCUMENTS.includes(error.status));

export const listStored = ({
	knowledge,
	knowledgeBaseId,
	signal,
}: IngestWork): Promise<KnowledgeDocument[]> =>
	listAll(knowledge.documents.list(knowledgeBaseId, FULL_PAGES, { signal }));
