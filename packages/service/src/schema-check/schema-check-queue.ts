import type { SchemaValidationResult } from "@stemma/engine";
import { createWorkspaceQueue } from "../fairness/workspace-queue";
import { toThreadMebibytes } from "../worker-threads/thread-memory";
import { createWorkerQueue } from "../worker-threads/worker-queue";
import type { SchemaCheckTask } from "./schema-check-task";

/** Checks of schemas, before a model is called, that wait for their turn, of one workspace. Those of replies always may wait. */
export const MAX_WAITING_CHECKS = 500;
const MEMORY = { maxMebibytes: 128, divisor: 16 };

/** A thread that checks schemas, and the turns that workspaces take in it. */
export interface SchemaCheckQueue {
	/**
	 * @throws WorkerFailure; the reason of the signal; DomainError 429 `too_many_waiting` for a schema alone. JSON to check came
	 * from a model that has been paid: it is never refused for the number of those that wait, which its calls bound.
	 */
	perform(
		workspaceId: string,
		task: SchemaCheckTask,
		signal: AbortSignal | undefined,
	): Promise<SchemaValidationResult>;
	stop(): Promise<void>;
}

export function createSchemaCheckQueue(name: string, timeoutMs: number): SchemaCheckQueue {
	const queue = createWorkspaceQueue({
		concurrency: 1,
		maxWaiting: MAX_WAITING_CHECKS,
		name: "checks of schemas",
	});
	const thread = createWorkerQueue<SchemaCheckTask, SchemaValidationResult>({
		name,
		script: new URL("./schema-check-thread.js", import.meta.url),
		timeoutMs,
		memoryMebibytes: toThreadMebibytes(MEMORY),
		countsProcessorTime: true,
	});
	return {
		perform: (workspaceId, task, signal) =>
			queue.run(workspaceId, () => thread.perform(task), {
				signal,
				bypassesQueueLimit: task.json !== undefined,
			}),
		stop: thread.stop,
	};
}
