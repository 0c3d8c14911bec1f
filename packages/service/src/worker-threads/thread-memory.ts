import { totalmem } from "node:os";

const MEBIBYTE = 1024 * 1024;

/** Heap of a thread: no more than a part of the memory that the process may have, so that all threads together leave room. */
export interface ThreadMemory {
	/** Maximum heap where there is much memory. */
	readonly maxMebibytes: number;
	/** 4: a quarter of what there is. */
	readonly divisor: number;
}

/** @param availableBytes - default: of the container, or of the machine where there is no limit. */
export const toThreadMebibytes = (
	{ maxMebibytes, divisor }: ThreadMemory,
	availableBytes = countAvailableBytes(),
): number => Math.min(maxMebibytes, Math.floor(availableBytes / divisor / MEBIBYTE));

function countAvailableBytes(): number {
	const limit = process.constrainedMemory();
	return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}
