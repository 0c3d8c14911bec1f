import { availableParallelism, totalmem } from "node:os";

/** Largest document that the quick threads read. */
export const QUICK_BYTES = 512 * 1024;
/** Heap of a quick thread. */
export const QUICK_MEMORY_MEBIBYTES = 128;
/** Largest heap of the slow thread. */
export const MAX_READING_MEMORY_MEBIBYTES = 512;

const MEBIBYTE = 1024 * 1024;

/** Heap of the slow thread: a quarter of the memory that the process may have, so that a large document leaves room for the rest. */
export const toReadingMemoryMebibytes = (availableBytes = countAvailableBytes()): number =>
	Math.min(MAX_READING_MEMORY_MEBIBYTES, Math.floor(availableBytes / 4 / MEBIBYTE));

/** Memory of the container, or of the machine where there is no limit. */
function countAvailableBytes(): number {
	const limit = process.constrainedMemory();
	return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/** Processor time to read one document, of any size. */
export const MAX_READING_MS = 30_000;
const SMALLEST_READING_MS = 2_000;
const READING_MS_PER_KILOBYTE = 30;

/**
 * Time limit to read a document: 2 s and 3 s for each 100 kB, at most 30 s. Running text takes a tenth of that, long lists
 * and tables half.
 */
export const toReadingLimitMs = (bytes: number): number =>
	Math.min(MAX_READING_MS, SMALLEST_READING_MS + Math.ceil((bytes / 1_000) * READING_MS_PER_KILOBYTE));

/** Number of quick threads: as many as there are processors, 2 to 4. */
export const countQuickThreads = (): number => Math.min(4, Math.max(2, availableParallelism()));
