import { createEmbeddingQueue } from "../embeddings/embedding-queue";
import type { PassageEmbedder } from "../embeddings/passage-embedder";
import { createReindexer } from "../reindex/reindexer";
import type { KnowledgeRepositories } from "../repositories/knowledge-repositories";
import type { StoredPart } from "../repositories/passage-repository";
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
	/** Called with the parts that a transaction has stored. Default: nothing. */
	readonly onStored?: ((parts: readonly StoredPart[]) => void) | undefined;
	/** The store or the vendor of vectors failed; the queue tries again a little later. */
	readonly onError: (error: unknown) => void;
}

/** Outdated documents that are queued at once: what is uploaded meanwhile waits for these alone. */
const OUTDATED_BATCH = 4;

export function createIngestQueue(options: IngestQueueOptions): IngestQueue {
	const { embedder, now, reader } = options;
	const abortController = new AbortController();
	const workers = createWorkers(options, abortController.signal);
	let isStarted = false;

	function wake(): void {
		if (isStarted) workers.wake();
	}

	async function waitUntilIdle(): Promise<void> {
		while (workers.running) await workers.running;
	}

	return {
		async start() {
			await options.repositories.uploads.recover({ space: embedder?.space ?? null, now: now() });
			isStarted = true;
			workers.start();
		},
		wake,
		retryEmbedding: workers.retryEmbedding,
		waitUntilIdle,
		async stop() {
			abortController.abort();
			await reader.stop();
			await waitUntilIdle();
		},
	};
}

/** Workers of the queue: they read uploads, make vectors, move knowledge bases and sweep. */
interface IngestWorkers {
	start(): void;
	wake(): void;
	/** See {@link IngestQueue.retryEmbedding}. */
	retryEmbedding(): void;
	/** Undefined when there is nothing to do. */
	readonly running: Promise<unknown> | undefined;
}

function createWorkers(options: IngestQueueOptions, signal: AbortSignal): IngestWorkers {
	const { embedder, now, maxDocuments, onError, whenNoSearches, assertSpace, reader, onStored } = options;
	const { uploads, passages, reindexes } = options.repositories;
	const onRequeued = (): void => embeddingQueue?.wake();
	const writer = createPassageWriter({
		...{ passages, now, maxDocuments, whenNoSearches, assertSpace, onRequeued, onStored },
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
	const upkeep = createUpkeep(options, () => signal.aborted || worker.hasPendingWake());
	const worker = createBackgroundWorker({
		async work() {
			// Where there is no room, sweeping makes some.
			await uploadWorkers.drain().finally(upkeep.sweep);
			if (await upkeep.queueOutdated()) worker.wake();
		},
		...{ onError, signal },
	});
	const space = embedder?.space;
	const embeddingQueue =
		embedder &&
		space &&
		createEmbeddingQueue({ embedder, space, workerOptions, writer, onDrained: worker.wake, onError });
	const reindexer = createReindexer({
		...{ repository: reindexes, embedder, now, whenNoSearches, assertSpace, onError, signal },
		onCompleted: wake,
	});

	function wake(): void {
		for (const each of [worker, uploadWorkers, embeddingQueue, reindexer]) each?.wake();
	}

	return {
		start() {
			reindexer.start();
			wake();
		},
		wake,
		retryEmbedding() {
			embeddingQueue?.retryNow();
			reindexer.retryNow();
		},
		get running() {
			const running = [worker, embeddingQueue, reindexer].flatMap((each) => each?.running ?? []);
			return running.length === 0 ? undefined : Promise.all(running);
		},
	};
}

/**
 * Creates the upkeep of stored documents, which there is time for while no upload waits.
 *
 * @param isInterrupted - uploads wait, or the queue stops.
 */
function createUpkeep(options: IngestQueueOptions, isInterrupted: () => boolean) {
	const { whenNoSearches } = options;
	const { uploads, passages } = options.repositories;
	let hasOutdated = options.rereadsOutdated ?? true;
	return {
		/** Sweeps away what was deleted. */
		async sweep(): Promise<void> {
			while (!isInterrupted() && (await passages.sweep()));
		},
		/** Queues the next outdated documents, until there are none: documents that are read from now on are not outdated. */
		async queueOutdated(): Promise<boolean> {
			if (!hasOutdated || isInterrupted()) return false;
			await whenNoSearches();
			hasOutdated = (await uploads.queueOutdated({ maxDocuments: OUTDATED_BATCH })) > 0;
			return hasOutdated;
		},
	};
}
