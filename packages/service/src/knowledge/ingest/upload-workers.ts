import type { Database } from "../../store/database";
import type { ClaimedUpload, ClaimUploadsInput } from "../jobs/claim-uploads-job";
import type { ReturnedUpload } from "../jobs/return-uploads-job";
import type { KnowledgeTables } from "../knowledge-tables";
import type { UploadReadResult } from "./group-writes";
import type { SerialQueue } from "./serial-queue";

/** Options of the workers that process one kind of uploads: one reads, one stores. */
export interface UploadWorkersOptions {
	readonly database: Database<KnowledgeTables>;
	readonly now: () => number;
	readonly serialQueue: SerialQueue;
	/** Throws where what is read finds no room on the disk; nothing is taken then. */
	readonly assertSpace: () => void;
	/** Kind of uploads to process: those with vectors, or those without. */
	readonly hasVectors: boolean;
	/** Lists the uploads that are waiting for their retry. Default: none. */
	readonly listDeferred?: () => readonly number[];
	/** Reading may end the process, and until this has settled the uploads are to blame for it. */
	read(uploads: readonly ClaimedUpload[]): Promise<readonly UploadReadResult[]>;
	store(read: readonly UploadReadResult[], uploads: readonly ClaimedUpload[]): Promise<void>;
	/**
	 * True where storing counts as part of the attempt: uploads are still suspected if the process ends while they are
	 * stored.
	 */
	readonly countsStoringAsAttempt: boolean;
	/** Signal after which no more uploads are claimed. */
	readonly signal: AbortSignal;
}

/** Number of workers: while one writes, the other reads. What is in flight stays small, and so does its memory. */
const CONCURRENCY = 2;
const BATCH = { maxDocuments: 200, maxBytes: 256 * 1024 };

export interface UploadWorkers {
	/**
	 * Resolves when there are none left, and rejects when all workers have ended and one of them failed: called again, it
	 * begins with what was not stored.
	 */
	drain(): Promise<void>;
	/** Says that there may be more work: a worker that has ended since {@link drain} was called starts again. */
	wake(): void;
}

/** Takes one kind of uploads through. */
export function createUploadWorkers(options: UploadWorkersOptions): UploadWorkers {
	const { database, now, serialQueue, hasVectors, read, store, countsStoringAsAttempt, signal } = options;
	const { assertSpace, listDeferred = () => [] } = options;
	const running = new Set<Promise<void>>();
	const failures: unknown[] = [];
	let lastClaimed = 0;

	async function hasMore(): Promise<boolean> {
		const more = await database.read
			.selectFrom("uploads")
			.select("number")
			.where("with_vectors", "=", hasVectors ? 1 : 0)
			.where("number", ">", lastClaimed)
			.where("number", "not in", listDeferred())
			.limit(1)
			.execute();
		return more.length > 0;
	}

	const claim = (): Promise<readonly ClaimedUpload[]> =>
		serialQueue.run(async () => {
			if (!(await hasMore())) return [];
			assertSpace();
			const input: ClaimUploadsInput = {
				hasVectors,
				after: lastClaimed,
				excluded: listDeferred(),
				...BATCH,
				now: now(),
			};
			const claimed = await database.writeJob("claimUploads", input);
			lastClaimed = claimed.at(-1)?.number ?? lastClaimed;
			return claimed;
		});

	/** The process goes on, so that nothing is to blame. */
	async function returnAndThrow(error: unknown, uploads: readonly ClaimedUpload[]): Promise<never> {
		const returnedUploads: readonly ReturnedUpload[] = uploads.map(({ number, attempts }) => ({
			number,
			attempts,
		}));
		// Where nothing can be written, reading them again writes nothing either.
		await database.writeJob("returnUploads", returnedUploads).catch(() => undefined);
		throw error;
	}

	async function runWorker(): Promise<void> {
		while (!signal.aborted) {
			const uploads = await claim();
			if (uploads.length === 0) return;
			const reading = read(uploads);
			const storing = reading
				.then((result) => store(result, uploads))
				.catch((error) => returnAndThrow(error, uploads));
			if (uploads.some(({ attempts }) => attempts > 0))
				serialQueue.blockUntil(countsStoringAsAttempt ? storing : reading);
			await storing;
		}
	}

	function startWorkers(): void {
		while (running.size < CONCURRENCY && failures.length === 0) {
			const worker: Promise<void> = runWorker()
				.catch((error: unknown) => void failures.push(error))
				.finally(() => running.delete(worker));
			running.add(worker);
		}
	}

	return {
		async drain() {
			startWorkers();
			while (running.size > 0) await Promise.all(running);
			if (failures.length === 0) return;
			lastClaimed = 0;
			throw failures.splice(0)[0];
		},
		wake() {
			if (running.size > 0) startWorkers();
		},
	};
}
