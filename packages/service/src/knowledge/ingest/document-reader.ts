import {
	type DocumentContent,
	DocumentError,
	parseCrashedError,
	parseOutOfMemoryError,
	parseTimeoutError,
	type UploadContent,
} from "@stemma/documents";
import { createWorkspaceQueue } from "../../fairness/workspace-queue";
import { WorkerFailure } from "../../threads/worker-failure";
import {
	countQuickThreads,
	MAX_QUICK_BYTES,
	toQuickMemoryMebibytes,
	toReadingLimitMs,
	toReadingMemoryMebibytes,
} from "./document-limits";
import type { DocumentThreadResult } from "./document-thread";
import { createReadingThreads, type DocumentReadOptions, type ReadOptions } from "./reading-threads";

/** Reader of one workspace's documents. */
export interface DocumentReader {
	/** @throws DocumentError when the document cannot be read, for whatever reason; {@link ReaderStoppedError}. */
	read(upload: UploadContent, options?: DocumentReadOptions): Promise<DocumentContent>;
	/** Waits up to 3 s for the documents that are being read. Reading one after that throws {@link ReaderStoppedError}. */
	stop(): Promise<void>;
}

/**
 * Threads that read the documents of all workspaces, in turns. Most documents are read in the quick threads, of which one
 * workspace never takes all. Large documents, and those that take more time or memory than others of their size, are read
 * one at a time in the slow thread. A hostile document harms itself only.
 */
export interface DocumentReaders {
	/** @throws as {@link DocumentReader.read}, and the reason of `signal` where it is aborted before the document's turn. */
	read(workspaceId: string, upload: UploadContent, options?: ReadOptions): Promise<DocumentContent>;
	/** Waits up to 3 s for the documents that are being read. */
	stop(): Promise<void>;
}

/** The reader was stopped before the document was read; nothing is wrong with it. */
export class ReaderStoppedError extends Error {}

export interface DocumentReaderLimits {
	/** Time limit of a document by its size in bytes; the quick threads get half of it. Default: `toReadingLimitMs`. */
	readonly toLimitMs?: (bytes: number) => number;
	/** Heap of the slow thread. Default: `toReadingMemoryMebibytes()`. */
	readonly memoryMebibytes?: number;
	/** Number of quick threads. Default: `countQuickThreads()`. */
	readonly quickThreads?: number;
}

/** Part of its time limit that a document gets in a quick thread. */
const QUICK_SHARE = 0.5;

export function createDocumentReaders(limits: DocumentReaderLimits = {}): DocumentReaders {
	const { toLimitMs = toReadingLimitMs, memoryMebibytes = toReadingMemoryMebibytes() } = limits;
	const { quickThreads = countQuickThreads() } = limits;
	const quick = createReadingThreads({
		name: "documents",
		threads: quickThreads,
		threadsPerWorkspace: Math.max(1, quickThreads - 1),
		memoryMebibytes: Math.min(toQuickMemoryMebibytes(), memoryMebibytes),
	});
	const slow = createReadingThreads({
		name: "slow-documents",
		threads: 1,
		threadsPerWorkspace: 1,
		memoryMebibytes,
	});
	const poisonQueue = createWorkspaceQueue({
		concurrency: 1,
		maxWaiting: Number.POSITIVE_INFINITY,
		name: "documents",
	});

	/** Tries a quick thread. Nothing when the document takes more than it has there. */
	const readQuickly = async (
		workspaceId: string,
		upload: UploadContent,
		options: ReadOptions,
	): Promise<DocumentThreadResult | undefined> => {
		if (upload.bytes.length > MAX_QUICK_BYTES) return undefined;
		const limitMs = QUICK_SHARE * toLimitMs(upload.bytes.length);
		const reading = quick.read(workspaceId, upload, { ...options, limitMs, transfersBytes: false });
		return reading.catch((error: unknown) => {
			if (error instanceof WorkerFailure && isRetryableOnSlowThread(error)) return undefined;
			throw error;
		});
	};

	const readWithFallback: DocumentReaders["read"] = async (workspaceId, upload, options = {}) => {
		const limitMs = toLimitMs(upload.bytes.length);
		try {
			const answer =
				(await readQuickly(workspaceId, upload, options)) ??
				(await slow.read(workspaceId, upload, { ...options, limitMs, transfersBytes: true }));
			if ("content" in answer) return answer.content;
			throw new DocumentError(answer.error);
		} catch (error) {
			throw error instanceof WorkerFailure ? toReaderError(error, limitMs) : error;
		}
	};

	return {
		read(workspaceId, upload, options = {}) {
			const read = () => readWithFallback(workspaceId, upload, options);
			return options.isPoisonCandidate ? poisonQueue.run(workspaceId, read, options) : read();
		},
		async stop() {
			await Promise.all([quick.stop(), slow.stop()]);
		},
	};
}

const isRetryableOnSlowThread = ({ reason }: WorkerFailure): boolean =>
	reason === "timeout" || reason === "out_of_memory";

function toReaderError({ reason, cause }: WorkerFailure, limitMs: number): Error {
	if (reason === "stopped") return new ReaderStoppedError();
	if (reason === "timeout") return parseTimeoutError(limitMs);
	return reason === "out_of_memory" ? parseOutOfMemoryError() : parseCrashedError(cause);
}
