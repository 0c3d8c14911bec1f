import type { UploadContent } from "@stemma/documents";
import { createWorkspaceQueue } from "../../fairness/workspace-queue";
import { createWorkerQueue, type WorkerQueue } from "../../threads/worker-queue";
import { MAX_READING_MS } from "./document-limits";
import type { DocumentThreadResult } from "./document-thread";

/** Options of reading one document. */
export interface DocumentReadOptions {
	/**
	 * The process may have ended because of this document: while it is read, no other poison candidate is, of any workspace.
	 * Default false.
	 */
	readonly isPoisonCandidate?: boolean;
	/** Awaited at each turn of the document, before it is read. The thread of a poison candidate runs by then. */
	readonly onStart?: () => Promise<void>;
}

export interface ReadOptions extends DocumentReadOptions {
	readonly signal?: AbortSignal;
}

/** Threads of one kind that read documents, one at a time each. Workspaces take turns by the time that they use. */
export interface ReadingThreads {
	/** @throws WorkerFailure, and the reason of `signal` where it is aborted before the document's turn. */
	read(workspaceId: string, upload: UploadContent, task: ReadTask): Promise<DocumentThreadResult>;
	/** Waits up to 3 s for the documents that are being read. */
	stop(): Promise<void>;
}

export interface ReadTask extends ReadOptions {
	readonly limitMs: number;
	/** The bytes move to the thread instead of being copied, where they own their memory. */
	readonly transfersBytes: boolean;
}

export interface ReadingThreadsOptions {
	/** Name of the threads, for debuggers. */
	readonly name: string;
	/** Number of threads. */
	readonly threads: number;
	/** Documents of one workspace that are read at once. */
	readonly threadsPerWorkspace: number;
	/** Heap of each thread. */
	readonly memoryMebibytes: number;
}

type Thread = WorkerQueue<UploadContent, DocumentThreadResult>;

const EMPTY_UPLOAD: UploadContent = { bytes: new Uint8Array(), format: "text", fileName: null, source: null };

export function createReadingThreads(options: ReadingThreadsOptions): ReadingThreads {
	const threads = Array.from({ length: options.threads }, (_, index) => startThread(index + 1, options));
	const idle = [...threads];
	const queue = createWorkspaceQueue({
		concurrency: options.threads,
		concurrencyPerWorkspace: options.threadsPerWorkspace,
		maxWaiting: Number.POSITIVE_INFINITY,
		name: "documents",
	});

	async function withThread<Result>(work: (thread: Thread) => Promise<Result>): Promise<Result> {
		const thread = idle.pop();
		if (thread === undefined) throw new Error("There are more turns than threads.");
		try {
			return await work(thread);
		} finally {
			idle.push(thread);
		}
	}

	return {
		read(workspaceId, upload, { limitMs, transfersBytes, isPoisonCandidate = false, onStart, signal }) {
			const work = async (thread: Thread): Promise<DocumentThreadResult> => {
				// A process that ends while the thread starts ends for another reason.
				if (isPoisonCandidate) await thread.perform(EMPTY_UPLOAD);
				await onStart?.();
				const transfer = transfersBytes ? toTransferList(upload.bytes) : [];
				return thread.perform(upload, { timeoutMs: limitMs, transfer });
			};
			return queue.run(workspaceId, () => withThread(work), { signal });
		},
		async stop() {
			await Promise.all(threads.map((thread) => thread.stop()));
		},
	};
}

const startThread = (number: number, { name, memoryMebibytes }: ReadingThreadsOptions): Thread =>
	createWorkerQueue({
		name: `${name}-${number}`,
		script: new URL("./document-thread.js", import.meta.url),
		timeoutMs: MAX_READING_MS,
		memoryMebibytes,
		countsProcessorTime: true,
	});

const toTransferList = ({ buffer, byteLength }: Uint8Array): ArrayBuffer[] =>
	buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
