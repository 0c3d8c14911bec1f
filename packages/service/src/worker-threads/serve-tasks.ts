import { setPriority } from "node:os";
import { parentPort, Worker } from "node:worker_threads";
import { canCountProcessorTime } from "./task-limit";

/** A message of a worker thread: `ready` once, when its modules are loaded, then one output for each task, in order. */
export type WorkerMessage<Output> =
	| { readonly type: "ready" }
	| { readonly type: "output"; readonly output: Output };

/** Serves the tasks of a worker queue, in the thread that this is called in, which lets the main thread go first. */
export function serveTasks<Input, Output>(perform: (input: Input) => Output | Promise<Output>): void {
	lowerPriority();
	const send = (message: WorkerMessage<Output>): void => parentPort?.postMessage(message);
	parentPort?.on("message", async (input: Input) => send({ type: "output", output: await perform(input) }));
	send({ type: "ready" });
}

/** Steps of priority ("nice") below the threads that answer and that store. */
const PRIORITY = 10;

/**
 * Lets other threads of the machine go before the calling one. Only on Linux, where a priority is a thread's own, and only
 * where the limits of its tasks count processor time: a thread that waits for others must not meet them.
 */
function lowerPriority(): void {
	if (process.platform !== "linux" || !canCountProcessorTime(Worker.prototype)) return;
	try {
		setPriority(PRIORITY);
	} catch {
		// Some sandboxes refuse it; the thread works all the same.
	}
}
