import { setTimeout as wait } from "node:timers/promises";
import type { RunError } from "@stemma/core";
import type { Database } from "../store/database";
import { COUNT_ATTEMPT } from "./count-attempt-job";
import { DocumentError } from "./document-error";
import { type DocumentReader, ReaderStopped } from "./document-reader";
import { groupWrites, type ReadUpload } from "./group-writes";
import type { KnowledgeTables } from "./knowledge-tables";
import { RECOVER } from "./recover-job";
import { type PassageRange, STORE_PASSAGES, type StorePassagesInput } from "./store-passages-job";
import { SWEEP } from "./sweep-job";
import { TAKE_UPLOADS, type TakenUpload, type TakeUploadsInput } from "./take-uploads-job";
import type { UploadContent } from "./upload-content";

/** Reads what was uploaded, then sweeps away what was deleted, as long as there is something to do. */
export interface IngestQueue {
	/** Goes on where the process before ended. Call it once, before {@link wake} is of any use. */
	start(): Promise<void>;
	/** There is something to do. */
	wake(): void;
	/** Resolves when there is nothing to do. */
	whenIdle(): Promise<void>;
	/** Finishes what is being read; the rest stays in the store. */
	stop(): Promise<void>;
}

export interface IngestQueueOptions {
	readonly database: Database<KnowledgeTables>;
	readonly reader: DocumentReader;
	readonly now: () => number;
	/** Resolves when nobody waits for a search: reading a document can wait a moment, people cannot. */
	readonly whenQuiet?: () => Promise<void>;
	/** The store failed; the queue tries again a little later. */
	readonly onError: (error: unknown) => void;
}

/** While one lane writes, the other reads. What is under way stays small, and so does the memory that it takes. */
const LANES = 2;
const BATCH = { maxDocuments: 200, maxBytes: 256 * 1024 };
/** A document that was under way whenever the process ended is likely why it did. */
const MAX_ATTEMPTS = 5;
const RETRY_MS = 5_000;

export function createIngestQueue(options: IngestQueueOptions): IngestQueue {
	const { database, reader, now, onError, whenQuiet = async () => undefined } = options;
	const stopping = new AbortController();
	let isStarted = false;
	let isWanted = false;
	let running: Promise<void> | undefined;
	let lastTaken = 0;
	let taking: Promise<readonly TakenUpload[]> = Promise.resolve([]);
	/** While a suspect is read, nothing else is: it alone is to be blamed if the process ends. */
	let suspectDone: Promise<unknown> = Promise.resolve();
	let nextPassage = 1;

	function takeRange(count: number): PassageRange {
		const first = nextPassage;
		nextPassage += count;
		return { first, count };
	}

	/** One lane at a time, so that none takes what the other has. */
	function takeUploads(): Promise<readonly TakenUpload[]> {
		taking = taking
			.then(() => suspectDone)
			.then(async () => {
				const input: TakeUploadsInput = { after: lastTaken, ...BATCH, now: now() };
				const taken = await database.writeJob<readonly TakenUpload[]>(TAKE_UPLOADS, input);
				lastTaken = taken.at(-1)?.number ?? lastTaken;
				return taken;
			});
		return taking;
	}

	async function runLane(): Promise<void> {
		while (!stopping.signal.aborted) {
			const uploads = await takeUploads();
			if (uploads.length === 0) return;
			const done = ingest(uploads);
			if (uploads.some(({ attempts }) => attempts > 0)) suspectDone = done.catch(() => undefined);
			await done;
		}
	}

	async function ingest(uploads: readonly TakenUpload[]): Promise<void> {
		const read = await readUploads(uploads, { reader, database, whenQuiet });
		for (const parts of groupWrites(read, takeRange)) {
			await whenQuiet();
			const input: StorePassagesInput = { parts, now: now() };
			await database.writeJob(STORE_PASSAGES, input);
		}
	}

	async function drain(): Promise<void> {
		const lanes = await Promise.allSettled(Array.from({ length: LANES }, runLane));
		const failed = lanes.find((lane) => lane.status === "rejected");
		if (failed !== undefined) throw failed.reason;
		while (!stopping.signal.aborted && !isWanted && (await database.writeJob<boolean>(SWEEP, undefined)));
	}

	async function run(): Promise<void> {
		while (isWanted && !stopping.signal.aborted) {
			isWanted = false;
			try {
				await drain();
			} catch (error) {
				onError(error);
				lastTaken = 0;
				taking = Promise.resolve([]);
				isWanted = true;
				await wait(RETRY_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
			}
		}
	}

	function wake(): void {
		isWanted = true;
		if (!isStarted || running !== undefined) return;
		running = run().finally(() => {
			running = undefined;
		});
	}

	return {
		async start() {
			nextPassage = await database.writeJob<number>(RECOVER, undefined);
			isStarted = true;
			wake();
		},
		wake,
		async whenIdle() {
			while (running !== undefined) await running;
		},
		async stop() {
			stopping.abort();
			await reader.stop();
			await running;
		},
	};
}

interface ReadOptions {
	readonly reader: DocumentReader;
	readonly database: Database<KnowledgeTables>;
	readonly whenQuiet: () => Promise<void>;
}

async function readUploads(uploads: readonly TakenUpload[], options: ReadOptions): Promise<ReadUpload[]> {
	const read: ReadUpload[] = [];
	for (const upload of uploads) {
		await options.whenQuiet();
		const result = await readUpload(upload, options);
		if (result === undefined) break;
		read.push(result);
	}
	return read;
}

/** Nothing when the reader was stopped. */
async function readUpload(upload: TakenUpload, options: ReadOptions): Promise<ReadUpload | undefined> {
	const { number, attempts, content, format, fileName, source } = upload;
	if (attempts > MAX_ATTEMPTS) return { upload: number, error: interrupted };
	if (attempts > 0) await countAttempt(number, options);
	try {
		const bytes = content;
		return { upload: number, content: await options.reader.read({ bytes, format, fileName, source }) };
	} catch (error) {
		if (error instanceof ReaderStopped) return undefined;
		if (error instanceof DocumentError) return { upload: number, error: error.error };
		throw error;
	}
}

const NOTHING: UploadContent = { bytes: new Uint8Array(), format: "text", fileName: null, source: null };

/** Once the reader is at work: a process that ends while it is started ends for another reason. */
async function countAttempt(upload: number, { reader, database }: ReadOptions): Promise<void> {
	await reader.read(NOTHING).catch(() => undefined);
	await database.writeJob(COUNT_ATTEMPT, upload);
}

const interrupted: RunError = {
	code: "interrupted",
	message: `The service ended ${MAX_ATTEMPTS} times while it read the document.`,
	hint: "Upload it in another format, or split it into smaller documents.",
};
