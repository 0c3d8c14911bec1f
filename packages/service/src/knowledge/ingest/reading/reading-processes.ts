import type { UploadContent } from "@stemma/documents";
import { createWorkspaceQueue } from "../../../fairness/workspace-queue";
import type { ProcessInput, ProcessOutput } from "../../../processes/process-message";
import { createProcessQueue } from "../../../processes/process-queue";
import type { TaskQueue } from "../../../worker-threads/task-queue";
import { MAX_READING_MS, MAX_READING_OUTPUT_BYTES, toMaxResidentMebibytes } from "./document-limits";
import type { DocumentOutcome, DocumentPiece, UploadHead } from "./document-process";

/** Options of reading one document. */
export interface DocumentReadOptions {
	/**
	 * The service may have ended because of this document: while it is read, no other poison candidate is, of any workspace.
	 * Default false.
	 */
	readonly isPoisonCandidate?: boolean;
	/** Awaited at each turn of the document, before it is read. The process of a poison candidate runs by then. */
	readonly onStart?: () => Promise<void>;
}

export interface ReadOptions extends DocumentReadOptions {
	readonly signal?: AbortSignal;
}

/** Processes of one kind that read documents, one at a time each. Workspaces take turns by the time that they use. */
export interface ReadingProcesses {
	/** @throws WorkerFailure, and the reason of `signal` where it is aborted before the document's turn. */
	read(workspaceId: string, upload: UploadContent, task: ReadTask): Promise<DocumentProcessResult>;
	/** Waits up to 3 s for the documents that are being read. */
	stop(): Promise<void>;
}

export type DocumentProcessResult = ProcessOutput<DocumentPiece, DocumentOutcome>;

export interface ReadTask extends ReadOptions {
	readonly limitMs: number;
}

export interface ReadingProcessesOptions {
	/** Number of processes. They start when there are documents for them. */
	readonly processes: number;
	/** Documents of one workspace that are read at once. */
	readonly processesPerWorkspace: number;
	/** Heap of each process. */
	readonly memoryMebibytes: number;
	/** Half of the space for new objects of each process, in MiB. Default 4. */
	readonly semiSpaceMebibytes?: number;
	/** Folders that they may read, besides the service's packages. Default: none. */
	readonly readableFolders?: readonly string[];
}

type ReadingProcess = TaskQueue<ProcessInput<UploadHead>, DocumentProcessResult>;

const IDLE_MS = 10_000;
/** Documents after which a process is replaced, and so what libraries keep of them. */
const MAX_TASKS = 20_000;
/** Memory after a document at which the process is replaced. */
const RETIRE_MEBIBYTES = 192;

const EMPTY_UPLOAD: ProcessInput<UploadHead> = {
	head: { format: "text", fileName: null, source: null },
	bytes: new Uint8Array(),
};

export function createReadingProcesses(options: ReadingProcessesOptions): ReadingProcesses {
	const processes = Array.from({ length: options.processes }, () => createReadingProcess(options));
	const idle = [...processes];
	const queue = createWorkspaceQueue({
		concurrency: options.processes,
		concurrencyPerWorkspace: options.processesPerWorkspace,
		maxWaiting: Number.POSITIVE_INFINITY,
		name: "documents",
	});

	async function withProcess<Result>(work: (process: ReadingProcess) => Promise<Result>): Promise<Result> {
		const process = idle.pop();
		if (process === undefined) throw new Error("There are more turns than processes.");
		try {
			return await work(process);
		} finally {
			// The one that was used last is used next, so that the others can end.
			idle.push(process);
		}
	}

	return {
		read(workspaceId, { bytes, ...head }, { limitMs, isPoisonCandidate = false, onStart, signal }) {
			const work = async (process: ReadingProcess): Promise<DocumentProcessResult> => {
				// A service that ends while the process starts ends for another reason.
				if (isPoisonCandidate) await process.perform(EMPTY_UPLOAD);
				await onStart?.();
				return process.perform({ head, bytes }, { timeoutMs: limitMs });
			};
			return queue.run(workspaceId, () => withProcess(work), { signal });
		},
		async stop() {
			await Promise.all(processes.map((process) => process.stop()));
		},
	};
}

const createReadingProcess = ({
	memoryMebibytes,
	semiSpaceMebibytes,
	readableFolders,
}: ReadingProcessesOptions): ReadingProcess =>
	createProcessQueue({
		script: new URL("./document-process.js", import.meta.url),
		timeoutMs: MAX_READING_MS,
		memoryMebibytes,
		semiSpaceMebibytes,
		readableFolders,
		maxResidentMebibytes: toMaxResidentMebibytes(memoryMebibytes),
		maxOutputBytes: MAX_READING_OUTPUT_BYTES,
		maxTasks: MAX_TASKS,
		retireMebibytes: RETIRE_MEBIBYTES,
		idleMs: IDLE_MS,
	});
