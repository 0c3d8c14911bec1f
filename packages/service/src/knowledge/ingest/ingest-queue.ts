import { createEmbeddingQueue } from "../embeddings/embedding-queue";
import type { PassageEmbedder } from "../embeddings/passage-embedder";
import { createReindexer } from "../reindex/reindexer";
import type { KnowledgeRepositories } from "../repositories/knowledge-repositories";
import { createBackgroundWorker } from "./background-worker";
import type { DocumentReader } from "./document-reader";
import { createPassageWriter } from "./passage-writer";
import { readUploads } from "./read-uploads";
import { createSerialQueue } from "./serial-queue";
import { createUploadWorkers, type UploadWorkersOptions } from "./upload-workers";

/**
 * Reads what was uploaded, then sweeps away what was deleted, as long as there is something to do. What is to have vectors
 * waits in a queue of its own, so that a vendor which is busy holds up nothing else.
 */
export interface IngestQueue {
	/** Begins to read documents; goes on where the process before ended. Call it once, before {@link wake} is of any use. */
	start(): Promise<void>;
	/** Wakes the queue, as there is work. */
	wake(): void;
	/** The vendor of vectors is called with another credential from now on: ends the pause after a failed call. */
	retryEmbedding(): void;
	/** Resolves when all documents are read and all that was deleted is swept away, and nothing waits for another turn. */
	waitUntilIdle(): Promise<void>;
	/** Finishes what is being read, ends calls for vectors; the rest stays in the store. */
	stop(): Promise<void>;
}

export interface IngestQueueOptions {
	readonly repositories: Pick<KnowledgeRepositories, "uploads" | "passages" | "reindexes">;
	readonly reader: DocumentReader;
	readonly now: () => number;
	/** Maximum documents of the workspace. Default: any number. */
	readonly maxDocuments?: number | undefined;
	/** Left out, or without a space: no knowledge base gets vectors. */
	readonly embedder?: PassageEmbedder | undefined;
	/** Resolves when nobody waits for a search: reading a document can wait a moment, people cannot. */
	readonly whenNoSearches: () => Promise<void>;
	/** Throws where passages find no room on the disk; what was deleted is swept away all the same. */
	readonly assertSpace: () => void;
	/**
	 * Documents that an older version of their reader has read are read again, while there is nothing else to do. Default
	 * true.
	 */
	readonly rereadsOutdated?: boolean | undefined;
	/** The store or the vendor of vectors failed; the queue tries again a little later. */
	readonly onError: (error: unknown) => void;
}

/** Outdated documents that are queued at once: what is uploaded meanwhile waits for these alone. */
const OUTDATED_BATCH = 4;

export function createIngestQueue(options: IngestQueueOptions): IngestQueue {
	const { embedder, now, maxDocuments, onError, whenNoSearches, assertSpace, reader } = options;
	const { uploads, passages, reindexes } = options.repositories;
	const space = embedder?.space ?? null;
	const abortController = new AbortController();
	const { signal } = abortController;
	let isStarted = false;
	let hasOutdated = options.rereadsOutdated ?? true;
	const onRequeued = (): void => embeddingQueue?.wake();
	const writer = createPassageWriter({
		...{ passages, now, maxDocuments, whenNoSearches, assertSpace, onRequeued },
	});
	const workerOptions: UploadWorkersOptions = {
		...{ uploads, now, signal, assertSpace },
		serialQueue: createSerialQueue(),
		hasVectors: false,
		read: (claimed) => readUploads(claimed, { uploads, reader, whenNoSearches }),
		async store(read) {
			for (const parts of await writer.group(read)) await writer.store(parts);
		},
	};
	const uploadWorkers = createUploadWorkers(workerOptions);
	async function sweepUntilDone(): Promise<void> {
		while (!signal.aborted && !worker.hasPendingWake() && (await passages.sweep()));
	}
	/** Queues the next outdated documents, until there are none: documents that are read from now on are not outdated. */
	async function rereadOutdated(): Promise<void> {
		if (!hasOutdated || signal.aborted || worker.hasPendingWake()) return;
		await whenNoSearches();
		hasOutdated = (await uploads.queueOutdated({ maxDocuments: OUTDATED_BATCH })) > 0;
		if (hasOutdated) worker.wake();
	}
	const worker = createBackgroundWorker({
		// Where there is no room, sweeping makes some.
		work: () => uploadWorkers.drain().finally(sweepUntilDone).then(rereadOutdated),
		onError,
		signal,
	});
	const embeddingQueue =
		embedder &&
		space &&
		createEmbeddingQueue({ embedder, space, workerOptions, writer, onDrained: worker.wake, onError });
	const reindexer = createReindexer({
		...{ repository: reindexes, embedder, now, whenNoSearches, assertSpace, onError, signal },
		onCompleted: wake,
	});

	function wake(): void {
		if (!isStarted) return;
		worker.wake();
		uploadWorkers.wake();
		embeddingQueue?.wake();
		reindexer.wake();
	}

	async function waitUntilIdle(): Promise<void> {
		while (worker.running ?? embeddingQueue?.running ?? reindexer.running)
			await Promise.all([worker.running, embeddingQueue?.running, reindexer.running]);
	}

	return {
		async start() {
			await uploads.recover({ space, now: now() });
			isStarted = true;
			reindexer.start();
			wake();
		},
		wake,
		retryEmbedding() {
			embeddingQueue?.retryNow();
			reindexer.retryNow();
		},
		waitUntilIdle,
		async stop() {
			abortController.abort();
			await reader.stop();
			await waitUntilIdle();
		},
	};
}
