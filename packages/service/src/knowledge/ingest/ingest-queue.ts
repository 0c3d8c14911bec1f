import type { Database } from "../../store/database";
import { createDeferredUploads } from "../embeddings/deferred-uploads";
import { createEmbeddingWorkers, type EmbeddingOptions } from "../embeddings/embedding-workers";
import type { PassageRange } from "../embeddings/passage-vectors";
import type { ClaimedUpload } from "../jobs/claim-uploads-job";
import type { RecoverInput } from "../jobs/recover-uploads-job";
import type { StoredPart, StorePassagesInput } from "../jobs/store-passages-job";
import type { KnowledgeTables } from "../knowledge-tables";
import { createBackgroundWorker } from "./background-worker";
import type { DocumentReader } from "./document-reader";
import { groupWrites, type UploadReadResult } from "./group-writes";
import { readUploads } from "./read-uploads";
import { createSerialQueue } from "./serial-queue";
import { createUploadWorkers, type UploadWorkersOptions } from "./upload-workers";

/**
 * Reads what was uploaded, then sweeps away what was deleted, as long as there is something to do. What is to have vectors
 * waits in a queue of its own, so that a vendor which is busy holds up nothing else.
 */
export interface IngestQueue {
	/** Goes on where the process before ended. Call it once, before {@link wake} is of any use. */
	start(): Promise<void>;
	/** Wakes the queue, as there is work. */
	wake(): void;
	/** The vendor of vectors is called with another credential from now on: ends the pause after a failed call. */
	retryEmbedding(): void;
	/** Resolves when there is nothing to do, and nothing waits for another turn. */
	waitUntilIdle(): Promise<void>;
	/** Finishes what is being read, ends calls for vectors; the rest stays in the store. */
	stop(): Promise<void>;
}

export interface IngestQueueOptions {
	readonly database: Database<KnowledgeTables>;
	readonly reader: DocumentReader;
	readonly now: () => number;
	/** Left out: no knowledge base gets vectors. */
	readonly embedding?: EmbeddingOptions | undefined;
	/** Resolves when nobody waits for a search: reading a document can wait a moment, people cannot. */
	readonly whenNoSearches?: () => Promise<void>;
	/** Throws where passages find no room on the disk; what was deleted is swept away all the same. */
	readonly assertSpace?: () => void;
	/** The store or the vendor of vectors failed; the queue tries again a little later. */
	readonly onError: (error: unknown) => void;
}

export function createIngestQueue(options: IngestQueueOptions): IngestQueue {
	const { database, embedding, now, onError, whenNoSearches = async () => undefined } = options;
	const { assertSpace = () => undefined } = options;
	const abortController = new AbortController();
	const { signal } = abortController;
	const serialQueue = createSerialQueue();
	let isStarted = false;
	let nextPassage = 1;

	function reserveRange(count: number): PassageRange {
		const first = nextPassage;
		nextPassage += count;
		return { first, count };
	}

	const read = (uploads: readonly ClaimedUpload[]): Promise<UploadReadResult[]> =>
		readUploads(uploads, { ...options, whenNoSearches });

	async function storePassageParts(parts: readonly StoredPart[]): Promise<void> {
		await whenNoSearches();
		assertSpace();
		const input: StorePassagesInput = { parts, now: now() };
		if (await database.writeJob("storePassages", input)) wakeEmbedding();
	}

	const workerOptions: UploadWorkersOptions = {
		database,
		now,
		serialQueue,
		signal,
		assertSpace,
		hasVectors: false,
		countsStoringAsAttempt: true,
		read,
		async store(uploads) {
			for (const parts of groupWrites(uploads, reserveRange)) await storePassageParts(parts);
		},
	};
	const uploadWorkers = createUploadWorkers(workerOptions);
	async function sweepUntilDone(): Promise<void> {
		while (!signal.aborted && !worker.hasPendingWake() && (await database.writeJob("sweep", undefined)));
	}
	const worker = createBackgroundWorker({
		async work() {
			// Where there is no room, sweeping makes some.
			await uploadWorkers.drain().finally(sweepUntilDone);
		},
		onError,
		signal,
	});

	const deferred = createDeferredUploads({ database, onRequeued: wakeEmbedding, onError, signal });
	const embeddingWorkers =
		embedding &&
		createEmbeddingWorkers({
			...embedding,
			workerOptions,
			groupParts: (uploads) => groupWrites(uploads, reserveRange, true),
			storePassageParts,
			deferred,
			onError,
		});
	const embeddingWorker =
		embeddingWorkers &&
		createBackgroundWorker({
			async work() {
				await embeddingWorkers.drain();
				// What was replaced is swept away there.
				worker.wake();
			},
			onError,
			signal,
		});

	function wakeEmbedding(): void {
		embeddingWorker?.wake();
		embeddingWorkers?.wake();
	}

	function wake(): void {
		if (!isStarted) return;
		worker.wake();
		uploadWorkers.wake();
		wakeEmbedding();
	}

	async function waitUntilIdle(): Promise<void> {
		for (;;) {
			const running = [worker.running, embeddingWorker?.running, deferred.idlePromise];
			if (running.every((work) => work === undefined)) return;
			await Promise.all(running);
		}
	}

	return {
		async start() {
			const input: RecoverInput = { space: embedding?.space ?? null, now: now() };
			nextPassage = await database.writeJob("recoverUploads", input);
			isStarted = true;
			wake();
		},
		wake,
		retryEmbedding: () => embeddingWorkers?.retryNow(),
		waitUntilIdle,
		async stop() {
			abortController.abort();
			await options.reader.stop();
			await waitUntilIdle();
		},
	};
}
