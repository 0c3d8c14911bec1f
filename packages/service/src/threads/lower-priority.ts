import { setPriority } from "node:os";
import { Worker } from "node:worker_threads";
import { canCountProcessorTime } from "./task-limit";

/** Steps of priority ("nice") below the threads that answer and that store. */
const PRIORITY = 10;

/**
 * Lets other threads of the machine go before the calling one. Only on Linux, where a priority is a thread's own, and only
 * where the limits of its tasks count processor time: a thread that waits for others must not meet them.
 */
export function lowerPriority(): void {
	if (process.platform !== "linux" || !canCountProcessorTime(Worker.prototype)) return;
	try {
		setPriority(PRIORITY);
	} catch {
		// Some sandboxes refuse it; the thread works all the same.
	}
}
