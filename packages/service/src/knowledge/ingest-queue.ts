import type { Database } from "../store/database";
import type { DocumentReader } from "./document-reader";
import { groupWrites, type ReadUpload } from "./group-writes";
import type { KnowledgeTables } from "./knowledge-tables";
import { readUploads } from "./read-uploads";
import { RECOVER, type RecoverInput } from "./recover-job";
import {
	type PassageRange,
	STORE_PASSAGES,
	type StoredPart,
	type StorePassagesInput,
} from "./store-passages-job";
import { createStrandedUploads } from "./stranded-uploads";
import { SWEEP } from "./sweep-job";
import { createTakeTurns } from "./take-turns";
import type { TakenUpload } from "./take-uploads-job";
import { createUploadLanes, type UploadLanesOptions } from "./upload-lanes";
import { createVectorLanes, type VectorMaking } from "./vector-lanes";
import { createWorkLoop } from "./work-loop";

/**
 * Reads what was uploaded, then sweeps away what was deleted, as long as there is something to do. What is to have vectors
 * waits in a queue of its own, so that a vendor which is busy holds up nothing else.
 */
export interface IngestQueue {
	/** Goes on where the process before ended. Call it once, before {@link wake} is of any use. */
	start(): Promise<void>;
	/** There is something to do. */
	wake(): void;
	/** The vendor of vectors is called with another credential from now on: ends the pause after a failed call. */
	retryVectors(): void;
	/** Resolves when there is nothing to do, and nothing waits for another turn. */
	whenIdle(): Promise<void>;
	/** Finishes what is being read, ends calls for vectors; the rest stays in the store. */
	stop(): Promise<void>;
}

export interface IngestQueueOptions {
	readonly database: Database<KnowledgeTables>;
	readonly reader: DocumentReader;
	readonly now: () => number;
	/** Left out: no knowledge base gets vectors. */
	readonly vectors?: VectorMaking | undefined;
	/** Resolves when nobody waits for a search: reading a document can wait a moment, people cannot. */
	readonly whenQuiet?: () => Promise<void>;
	/** Throws where passages find no room on the disk; what was deleted is swept away all the same. */
	readonly assertRoom?: () => void;
	/** The store or the vendor of vectors failed; the queue tries again a little later. */
	readonly onError: (error: unknown) => void;
}

export function createIngestQueue(options: IngestQueueOptions): IngestQueue {
	const { database, vectors, now, onError, whenQuiet = async () => undefined } = options;
	const { assertRoom = () => undefined } = options;
	const stopping = new AbortController();
	const { signal } = stopping;
	const turns = createTakeTurns();
	let isStarted = false;
	let nextPassage = 1;

	function takeRange(count: number): PassageRange {
		const first = nextPassage;
		nextPassage += count;
		return { first, count };
	}

	const read = (uploads: readonly TakenUpload[]): Promise<ReadUpload[]> =>
		readUploads(uploads, { ...options, whenQuiet });

	async function storeParts(parts: readonly StoredPart[]): Promise<void> {
		await whenQuiet();
		assertRoom();
		const input: StorePassagesInput = { parts, now: now() };
		if (await database.writeJob<boolean>(STORE_PASSAGES, input)) wakeVectors();
	}

	const lanes: UploadLanesOptions = {
		database,
		now,
		turns,
		signal,
		assertRoom,
		withVectors: false,
		isBlamedForStoring: true,
		read,
		async store(uploads) {
			for (const parts of groupWrites(uploads, takeRange)) await storeParts(parts);
		},
	};
	const wordLanes = createUploadLanes(lanes);
	async function sweepAll(): Promise<void> {
		while (!signal.aborted && !loop.isWoken() && (await database.writeJob<boolean>(SWEEP, undefined)));
	}
	const loop = createWorkLoop({
		async work() {
			// Where there is no room, sweeping makes some.
			await wordLanes.drain().finally(sweepAll);
		},
		onError,
		signal,
	});

	const stranded = createStrandedUploads({ database, onTurn: wakeVectors, onError, signal });
	const vectorLanes =
		vectors &&
		createVectorLanes({
			...vectors,
			lanes,
			group: (uploads) => groupWrites(uploads, takeRange, true),
			storeParts,
			stranded,
			onError,
		});
	const vectorLoop =
		vectorLanes &&
		createWorkLoop({
			async work() {
				await vectorLanes.drain();
				// What was replaced is swept away there.
				loop.wake();
			},
			onError,
			signal,
		});

	function wakeVectors(): void {
		vectorLoop?.wake();
		vectorLanes?.wake();
	}

	function wake(): void {
		if (!isStarted) return;
		loop.wake();
		wordLanes.wake();
		wakeVectors();
	}

	async function whenIdle(): Promise<void> {
		for (;;) {
			const running = [loop.running, vectorLoop?.running, stranded.running];
			if (running.every((work) => work === undefined)) return;
			await Promise.all(running);
		}
	}

	return {
		async start() {
			const input: RecoverInput = { space: vectors?.space ?? null, now: now() };
			nextPassage = await database.writeJob<number>(RECOVER, input);
			isStarted = true;
			wake();
		},
		wake,
		retryVectors: () => vectorLanes?.retryNow(),
		whenIdle,
		async stop() {
			stopping.abort();
			await options.reader.stop();
			await whenIdle();
		},
	};
}
