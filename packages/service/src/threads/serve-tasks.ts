import { parentPort } from "node:worker_threads";
import { lowerPriority } from "./lower-priority";

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
