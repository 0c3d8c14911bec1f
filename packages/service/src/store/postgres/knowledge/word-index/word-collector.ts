import { toThreadMebibytes } from "../../../../worker-threads/thread-memory";
import { createWorkerQueue } from "../../../../worker-threads/worker-queue";
import type { CollectedWords } from "./collected-words";
import { collectDocumentWords, type EncodedDocument } from "./document-words";

/** Collects the words of documents; `undefined`: some of their passages cannot be decoded. */
export type CollectDocumentWords = typeof collectDocumentWords;

/** Collects the words of many documents in a thread, beside the thread that answers requests. */
export interface WordCollector {
	readonly collect: CollectDocumentWords;
	stop(): Promise<void>;
}

/** Fewer passages take a few milliseconds, and no thread has to start for them. */
const MIN_PASSAGES = 48;
/** Time for one transaction's documents, of the thread's processor: they take a few hundredths of a second. */
const TIMEOUT_MS = 60_000;
const YOUNG_MEBIBYTES = 64;
const MEMORY = { maxMebibytes: 256, divisor: 8 };

/** Creates the word collector that all workspaces of an instance share. Its thread starts when there is much to collect. */
export function createWordCollector(): WordCollector {
	const thread = createWorkerQueue<readonly EncodedDocument[], CollectedWords | undefined>({
		name: "words",
		script: new URL("./words-thread.js", import.meta.url),
		timeoutMs: TIMEOUT_MS,
		memoryMebibytes: toThreadMebibytes(MEMORY),
		youngMebibytes: YOUNG_MEBIBYTES,
		countsProcessorTime: true,
	});
	return {
		collect(documents) {
			if (countPassages(documents) < MIN_PASSAGES) return collectDocumentWords(documents);
			// Whatever became of the thread, the documents are stored.
			return thread.perform(documents).catch(() => collectDocumentWords(documents));
		},
		stop: thread.stop,
	};
}

const countPassages = (documents: readonly EncodedDocument[]): number =>
	documents.reduce((sum, { passages }) => sum + passages.count, 0);
