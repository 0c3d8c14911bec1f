import { WorkerFailure } from "../threads/worker-failure";
import { createWorkerQueue } from "../threads/worker-queue";
import { DocumentError, parseCrashed, parseOutOfMemory, parseTimeout } from "./document-error";
import type { DocumentThreadAnswer } from "./document-thread";
import type { DocumentContent, UploadContent } from "./upload-content";

/** Reads documents in a thread of its own, one at a time: a hostile one harms itself only. */
export interface DocumentReader {
	/** @throws DocumentError when the document cannot be read, for whatever reason. */
	read(upload: UploadContent): Promise<DocumentContent>;
	/** Waits a little for the document that is being read. Reading one after that throws {@link ReaderStopped}. */
	stop(): Promise<void>;
}

/** The reader was stopped before the document was read; nothing is wrong with it. */
export class ReaderStopped extends Error {}

export interface DocumentReaderLimits {
	/** For one document. Default 30 s. */
	readonly timeoutMs?: number;
	/** Default 512. */
	readonly memoryMebibytes?: number;
}

export function createDocumentReader(limits: DocumentReaderLimits = {}): DocumentReader {
	const { timeoutMs = 30_000, memoryMebibytes = 512 } = limits;
	const queue = createWorkerQueue<UploadContent, DocumentThreadAnswer>({
		name: "documents",
		script: new URL("./document-thread.js", import.meta.url),
		timeoutMs,
		memoryMebibytes,
	});
	return {
		async read(upload) {
			const answer = await queue.perform(upload, toTransferList(upload.bytes)).catch((error: unknown) => {
				throw error instanceof WorkerFailure ? toReaderError(error, timeoutMs) : error;
			});
			if ("error" in answer) throw new DocumentError(answer.error);
			return answer.content;
		},
		stop: queue.stop,
	};
}

function toReaderError({ reason, cause }: WorkerFailure, timeoutMs: number): Error {
	if (reason === "stopped") return new ReaderStopped();
	if (reason === "timeout") return parseTimeout(timeoutMs);
	return reason === "out_of_memory" ? parseOutOfMemory() : parseCrashed(cause);
}

/** What owns its memory moves to the thread instead of being copied; nobody needs it here any more. */
const toTransferList = ({ buffer, byteLength }: Uint8Array): ArrayBuffer[] =>
	buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
