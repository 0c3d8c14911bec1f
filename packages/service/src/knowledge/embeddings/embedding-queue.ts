import { createBackgroundWorker } from "../ingest/background-worker";
import { createDeferredUploads } from "./deferred-uploads";
import { createEmbeddingWorkers, type EmbeddingWorkersOptions } from "./embedding-workers";

/** Takes the uploads through whose passages get vectors, as long as there are some. */
export interface EmbeddingQueue {
	/** Wakes the queue, as there is work. */
	wake(): void;
	/** The vendor is called with another credential from now on: does not wait for the next try. */
	retryNow(): void;
	/** Undefined when there is nothing to do, and nothing waits for another turn. */
	readonly running: Promise<unknown> | undefined;
}

export interface EmbeddingQueueOptions extends Omit<EmbeddingWorkersOptions, "deferred"> {
	/** Runs when there are no uploads left: what was replaced can be swept away. */
	readonly onDrained: () => void;
}

export function createEmbeddingQueue({ onDrained, ...options }: EmbeddingQueueOptions): EmbeddingQueue {
	const { onError } = options;
	const { uploads, signal } = options.workerOptions;
	const deferred = createDeferredUploads({ uploads, onRequeued: wake, onError, signal });
	const workers = createEmbeddingWorkers({ ...options, deferred });
	const worker = createBackgroundWorker({
		work: () => workers.drain().then(onDrained),
		onError,
		signal,
	});

	function wake(): void {
		worker.wake();
		workers.wake();
	}

	return {
		wake,
		retryNow: workers.retryNow,
		get running() {
			const { running } = worker;
			const { idlePromise } = deferred;
			return running && idlePromise ? Promise.all([running, idlePromise]) : (running ?? idlePromise);
		},
	};
}
