import type { MainThreadQueue } from "@stemma/protocol";
import { createWorkspaceQueue } from "../fairness/workspace-queue";
import { type BuiltInModel, createBuiltInModel } from "./built-in-model";

/** Calls of one workspace to vendors of models that wait for their turn. */
export const MAX_WAITING_MODEL_CALLS = 1000;

/** Calls of models, limited by workspace. */
export interface ModelCallQueue {
	/**
	 * Waits until a vendor may be called for a workspace.
	 *
	 * @returns what ends the call; to be called once.
	 * @throws DomainError `too_many_waiting`.
	 */
	acquire(workspaceId: string, signal: AbortSignal | undefined): Promise<() => void>;
	/** Number of calls that wait. */
	readonly queued: number;
	readonly builtIn: BuiltInModel;
	stop(): Promise<void>;
}

/** @param maxCalls - of one workspace at once, to vendors. */
export function createModelCallQueue(maxCalls: number, mainThreadQueue: MainThreadQueue): ModelCallQueue {
	const builtIn = createBuiltInModel(mainThreadQueue);
	const queue = createWorkspaceQueue({
		// Connections are not scarce, and each workspace has a limit of its own: nobody waits for another's calls.
		concurrency: Number.POSITIVE_INFINITY,
		concurrencyPerWorkspace: maxCalls,
		maxWaiting: MAX_WAITING_MODEL_CALLS,
		name: "calls of models",
		setting: "limits.concurrent_model_calls",
	});
	return {
		async acquire(workspaceId, signal) {
			const leave = await queue.acquire(workspaceId, { signal });
			try {
				await mainThreadQueue.wait(workspaceId, signal);
			} catch (error) {
				leave();
				throw error;
			}
			return leave;
		},
		get queued() {
			return queue.queued;
		},
		builtIn,
		stop: builtIn.stop,
	};
}
