import type { EmbeddingSpace } from "@stemma/routing";
import type { PassageWriter } from "../ingest/passage-writer";
import { createUploadWorkers, type UploadWorkersOptions } from "../ingest/upload-workers";
import type { WorkerPool } from "../ingest/worker-pool";
import { createEmbeddingCircuitBreaker } from "./circuit-breaker";
import type { DeferredUploads } from "./deferred-uploads";
import { type EmbedAndStoreOptions, embedAndStore } from "./embed-and-store";
import type { PassageEmbedder } from "./passage-embedder";

/** Embedder of a workspace's passages, with its space. */
export interface EmbeddingOptions {
	readonly embedder: PassageEmbedder;
	readonly space: EmbeddingSpace;
}

export interface EmbeddingWorkersOptions extends EmbeddingOptions {
	/** Options of the workers for other uploads. */
	readonly workerOptions: UploadWorkersOptions;
	readonly writer: PassageWriter;
	readonly deferred: DeferredUploads;
	/** A call for vectors failed and is made again later. */
	readonly onError: (error: unknown) => void;
}

export interface EmbeddingWorkers extends WorkerPool {
	/** The vendor is called with another credential from now on: does not wait for the next try. */
	retryNow(): void;
}

/** Creates workers like `createUploadWorkers`, for uploads whose passages get vectors. */
export function createEmbeddingWorkers(options: EmbeddingWorkersOptions): EmbeddingWorkers {
	const { workerOptions, deferred, embedder } = options;
	const { uploads: queue, signal } = workerOptions;
	const vendorCalls = createEmbeddingCircuitBreaker({ embedder, signal });
	const returnToQueue = (numbers: readonly number[], staysClaimed = false): Promise<void> =>
		queue.returnToQueue(numbers.map((number) => ({ number, attempts: 0, staysClaimed })));
	const clearAttempts = (numbers: readonly number[]): Promise<void> => returnToQueue(numbers, true);
	const { filterCurrent } = queue;
	const embedOptions: EmbedAndStoreOptions = {
		...options,
		vendorCalls,
		signal,
		filterCurrent,
		clearAttempts,
	};
	const workers = createUploadWorkers({
		...workerOptions,
		hasVectors: true,
		listDeferred: () => [...deferred.waiting],
		async read(uploads) {
			for (const { number, vendorFailures = 0 } of uploads)
				if (vendorFailures > 0) deferred.restore(number, vendorFailures);
			const read = await workerOptions.read(uploads);
			if (uploads.some(({ attempts }) => attempts > 0))
				await clearAttempts(uploads.map(({ number }) => number));
			return read;
		},
		async store(read, uploads) {
			try {
				await embedAndStore(read, embedOptions);
			} catch (error) {
				if (!signal.aborted) throw error;
			}
			if (signal.aborted) await returnToQueue(uploads.map(({ number }) => number));
		},
	});
	return { ...workers, retryNow: vendorCalls.retryNow };
}
