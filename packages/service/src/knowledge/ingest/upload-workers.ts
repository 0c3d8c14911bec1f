import type { ClaimedUpload, ReturnedUpload, UploadRepository } from "../repositories/upload-repository";
import type { UploadReadResult } from "./group-writes";
import type { SerialQueue } from "./serial-queue";
import { createWorkerPool, type WorkerPool } from "./worker-pool";

/** Options of the workers that process one kind of uploads. */
export interface UploadWorkersOptions {
	readonly uploads: UploadRepository;
	readonly now: () => number;
	readonly serialQueue: SerialQueue;
	/** Throws where what is read finds no room on the disk; nothing is taken then. */
	readonly assertSpace: () => void;
	/** Number of workers. Default 2: while one stores, the other reads. What is in flight stays small, and so does its memory. */
	readonly concurrency?: number | undefined;
	/** Kind of uploads to process: those with vectors, or those without. */
	readonly hasVectors: boolean;
	/** Lists the uploads that are waiting for their retry. Default: none. */
	readonly listDeferred?: () => readonly number[];
	/** Reading may end the process, and until this has settled the uploads are to blame for it. */
	read(uploads: readonly ClaimedUpload[]): Promise<readonly UploadReadResult[]>;
	store(read: readonly UploadReadResult[], uploads: readonly ClaimedUpload[]): Promise<void>;
	/** Signal after which no more uploads are claimed. */
	readonly signal: AbortSignal;
}

const BATCH = { maxDocuments: 200, maxBytes: 256 * 1024 };

/** Takes one kind of uploads through. After a failure it begins with what was not stored. */
export function createUploadWorkers(options: UploadWorkersOptions): WorkerPool {
	const { uploads: queue, now, serialQueue, hasVectors, read, store, signal } = options;
	const { assertSpace, listDeferred = () => [], concurrency = 2 } = options;
	const giveBack = createGiveBack(queue);
	let lastClaimed = 0;

	async function claim(): Promise<readonly ClaimedUpload[]> {
		await giveBack([]);
		const selection = () => ({ hasVectors, after: lastClaimed, excluded: listDeferred() });
		if (!(await queue.hasWaiting(selection()))) return [];
		assertSpace();
		const claimed = await queue.claim({ ...selection(), ...BATCH, now: now() });
		lastClaimed = claimed.at(-1)?.number ?? lastClaimed;
		return claimed;
	}

	async function returnAndThrow(error: unknown, uploads: readonly ClaimedUpload[]): Promise<never> {
		// Where nothing can be written, reading them again writes nothing either.
		await giveBack(uploads).catch(() => undefined);
		throw error;
	}

	/** Stores what was read. What the reader was stopped before is given back. */
	async function storeAll(
		read: readonly UploadReadResult[],
		uploads: readonly ClaimedUpload[],
	): Promise<void> {
		await store(read, uploads);
		const results = new Set(read.map(({ upload }) => upload));
		await giveBack(uploads.filter(({ number }) => !results.has(number)));
	}

	const pool = createWorkerPool(async () => {
		while (!signal.aborted) {
			const uploads = await serialQueue.run(claim);
			if (uploads.length === 0) return;
			const reading = read(uploads);
			const storing = reading
				.then((result) => storeAll(result, uploads))
				.catch((error) => returnAndThrow(error, uploads));
			// Storing may end the process, too. A call for vectors ends none, and may take any time.
			if (uploads.some(({ attempts }) => attempts > 0))
				serialQueue.blockUntil(hasVectors ? reading : storing);
			await storing;
		}
	}, concurrency);

	return {
		wake: pool.wake,
		async drain() {
			try {
				await pool.drain();
			} catch (error) {
				lastClaimed = 0;
				throw error;
			}
		},
	};
}

/**
 * Gives uploads back to the queue: the process goes on, so that nothing is to blame. Those that could not be given back, as
 * the store failed, are given back with the next.
 */
function createGiveBack(queue: UploadRepository): (uploads: readonly ClaimedUpload[]) => Promise<void> {
	let unreturned: readonly ReturnedUpload[] = [];
	return async (uploads) => {
		const all = [...unreturned, ...uploads.map(({ number, attempts }) => ({ number, attempts }))];
		unreturned = all;
		if (all.length > 0) await queue.returnToQueue(all);
		unreturned = unreturned.filter((upload) => !all.includes(upload));
	};
}
