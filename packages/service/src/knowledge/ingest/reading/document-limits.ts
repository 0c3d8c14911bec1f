import { availableParallelism } from "node:os";
import { toThreadMebibytes } from "../../../worker-threads/thread-memory";

/** Largest document that the quick processes read. */
export const MAX_QUICK_BYTES = 512 * 1024;
/** Heap of a quick process where there is much memory. */
const QUICK_MEMORY_MEBIBYTES = 128;
/**
 * Half of the space for new objects of a quick process. With 4 MiB, reading Markdown and HTML takes a seventh more processor
 * time. The slow process has the default: it would take 40 MiB more.
 */
export const QUICK_SEMI_SPACE_MEBIBYTES = 8;
/** Heap of the slow process where there is much memory. */
export const MAX_READING_MEMORY_MEBIBYTES = 512;

/** Heap of a quick process; a document that needs more is read by the slow one. */
export const toQuickMemoryMebibytes = (availableBytes?: number): number =>
	toThreadMebibytes({ maxMebibytes: QUICK_MEMORY_MEBIBYTES, divisor: 16 }, availableBytes);

/** Heap of the slow process. */
export const toReadingMemoryMebibytes = (availableBytes?: number): number =>
	toThreadMebibytes({ maxMebibytes: MAX_READING_MEMORY_MEBIBYTES, divisor: 6 }, availableBytes);

/** Memory of a process besides its heap: Node itself, and files that are unpacked. */
const MEBIBYTES_BESIDES_HEAP = 192;

/** Memory that a process may have while it reads, heap and all else. */
export const toMaxResidentMebibytes = (memoryMebibytes: number): number =>
	memoryMebibytes + MEBIBYTES_BESIDES_HEAP;

/** Bytes of passages and text that one document may have. */
export const MAX_READING_OUTPUT_BYTES = 256 * 1024 * 1024;

/** Processor time to read one document, of any size. */
export const MAX_READING_MS = 30_000;
/** Processor time to recognize the text of one image or scan. */
export const MAX_OCR_MS = 600_000;
const MIN_READING_MS = 2_000;
const READING_MS_PER_KILOBYTE = 30;

/**
 * Time limit to read a document: 2 s and 3 s for each 100 kB, at most 30 s. Running text takes a tenth of that, long lists
 * and tables half.
 */
export const toReadingLimitMs = (bytes: number): number =>
	Math.min(MAX_READING_MS, MIN_READING_MS + Math.ceil((bytes / 1_000) * READING_MS_PER_KILOBYTE));

/** Number of quick processes: as many as there are processors, 2 to 4. */
export const countQuickProcesses = (): number => Math.min(4, Math.max(2, availableParallelism()));
