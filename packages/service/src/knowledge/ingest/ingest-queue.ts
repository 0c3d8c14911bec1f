import { ownClaims, type WorkClaims } from "../../store/claims/work-claims";
import { createEmbeddingQueue } from "../embeddings/embedding-queue";
import type { PassageEmbedder } from "../embeddings/passage-embedder";
import { createReindexer } from "../reindex/reindexer";
import type { KnowledgeRepositories } from "../repositories/knowledge-repositories";
import type { StoredPart } from "../repositories/passage-repository";
import type { UploadRepository } from "../repositories/upload-repository";
import { createBackgroundWorker } from "./background-worker";
import { MAX_SHARED_TRANSACTION_WEIGHT } from "./encoded-passages";
import { createPassageWriter } from "./passage-writer";
import { readUploads } from "./read-uploads";
import type { DocumentReader } from "./reading/document-reader";
import { createSerialQueue } from "./serial-queue";
import { createUploadWorkers, type UploadWorkersOptions } from "./upload-workers";

/**
 * Reads what was uploaded, then sweeps away what was deleted, as long as there is something to do. What is to have vectors
 * waits in a queue of its own, so that a vendor which is busy holds up nothing else.
 */
export interface IngestQueue {
	/** Begins to read documents; goes on where the process before ended. Call it once, before {@link wake} is of any use. */
	start(): Promise<void>;
	/** Takes over what other instances have left whose lease is over. */
	recover(): Promise<void>;
	/** Wakes the queue, and those of other instances, as there is work. */
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
	/** Default: those of a store of one process. */
	readonly claims?: IngestClaims | undefined;
	readonly reader: DocumentReader;
	readonly now: () => number;
	/** Maximum documents of the workspace. Default: any number. */
	readonly maxDocuments?: number | undefined;
	/** Left out, or without a space: no knowledge base gets vectors. */
	readonly embedder?: PassageEmbedder | undefined;
	/** Resolves when nobody waits for a search: reading a document can wait a moment, people cannot. */
	readonly whenNoSearches: () => Promise<void>;
	/** Resolves when nobody has searched for a moment: sweeping and merging can wait longer. Default: at once. */
	readonly whenNoRecentSearches?: (() => Promise<void>) | undefined;
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

/** Claims of work in the background, and what other instances tell of it. */
export type IngestClaims = Pick<WorkClaims, "isShared" | "take" | "release" | "onChange">;

/** Time in milliseconds within which other instances are told of work once. */
const NOTIFY_MS = 250;

/** Workers where the store is a server: one reads, one has words collected in a thread, one stores. */
const SHARED_CONCURRENCY = 3;

/** Outdated documents that are queued at once: what is uploaded meanwhile waits for these alone. */
const OUTDATED_BATCH = 4;

export function createIngestQueue(options: IngestQueueOptions): IngestQueue {
	const { embedder, now, reader, claims = ownClaims } = options;
	const { uploads } = options.repositories;
	const abortController = new AbortController();
	const workers = createWorkers({ ...options, claims }, abortController.signal);
	const others = createOtherQueues(claims, uploads, options.onError);
	let isStarted = false;

	function wakeWorkers(): void {
		if (isStarted) workers.wake();
	}
	const ignoreOthers = claims.onChange(({ type }) => {
		if (type === "queued" || type === "missed") wakeWorkers();
	});
	async function waitUntilIdle(): Promise<void> {
		while (workers.running) await workers.running;
	}
	const recover = (): Promise<void> => uploads.recover({ space: embedder?.space ?? null, now: now() });

	return {
		async start() {
			await recover();
			isStarted = true;
			workers.start();
		},
		async recover() {
			await recover();
			wakeWorkers();
		},
		wake() {
			wakeWorkers();
			others.wake();
		},
		retryEmbedding: workers.retryEmbedding,
		waitUntilIdle,
		async stop() {
			ignoreOthers();
			abortController.abort();
			await reader.stop();
			await waitUntilIdle();
			await others.stop();
		},
	};
}

/** Queues of the same workspace on other instances. */
function createOtherQueues(
	{ isShared }: Pick<IngestClaims, "isShared">,
	{ notifyQueued }: Pick<UploadRepository, "notifyQueued">,
	onError: (error: unknown) => void,
) {
	let timer: NodeJS.Timeout | undefined;
	let notifying = Promise.resolve();
	function notify(): void {
		timer = undefined;
		notifying = notifyQueued().catch(onError);
	}
	return {
		wake(): void {
			if (isShared) timer ??= setTimeout(notify, NOTIFY_MS).unref();
		},
		async stop(): Promise<void> {
			if (timer !== undefined) {
				clearTimeout(timer);
				notify();
			}
			await notifying;
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

function createWorkers(
	options: IngestQueueOptions & { readonly claims: IngestClaims },
	signal: AbortSignal,
): IngestWorkers {
	const { claims, embedder, now, maxDocuments, onError, whenNoSearches, assertSpace, reader, onStored } =
		options;
	const { uploads, passages, reindexes } = options.repositories;
	const onRequeued = (): void => embeddingQueue?.wake();
	const writer = createPassageWriter({
		...{ passages, now, maxDocuments, whenNoSearches, assertSpace, onRequeued, onStored },
		...(claims.isShared && { maxWeight: MAX_SHARED_TRANSACTION_WEIGHT }),
	});
	const workerOptions: UploadWorkersOptions = {
		...{ uploads, now, signal, assertSpace },
		serialQueue: createSerialQueue(),
		...(claims.isShared && { concurrency: SHARED_CONCURRENCY }),
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
		...{ repository: reindexes, claims, embedder, now, whenNoSearches, assertSpace, onError, signal },
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
	const { whenNoSearches, whenNoRecentSearches = async () => undefined } = options;
	const { uploads, passages } = options.repositories;
	let hasOutdated = options.rereadsOutdated ?? true;
	return {
		/** Sweeps away what was deleted. */
		async sweep(): Promise<void> {
			do await whenNoRecentSearches();
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
