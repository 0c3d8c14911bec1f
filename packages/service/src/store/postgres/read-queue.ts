import { createWorkspaceQueue } from "../../fairness/workspace-queue";

/** Turns of reading jobs, so that those of one workspace never have all connections. */
export type ReadQueue = ReturnType<typeof createWorkspaceQueue>;

/** @param poolSize - connections of the pool, of which some stay free for short queries. */
export function createReadQueue(poolSize: number): ReadQueue {
	const concurrency = Math.max(1, Math.ceil((poolSize * 3) / 4));
	return createWorkspaceQueue({
		concurrency,
		concurrencyPerWorkspace: Math.max(1, Math.ceil(concurrency / 2)),
		// Those who ask are limited where they are known: by workspace and by kind of work.
		maxWaiting: Number.POSITIVE_INFINITY,
		name: "reads",
	});
}
