import { setTimeout as wait } from "node:timers/promises";

/** Worker that runs whenever there may be work, never twice at once. */
export interface BackgroundWorker {
	/** Wakes the worker, as there may be work. If it is running, it checks again after that. */
	wake(): void;
	/** Checks whether the worker was woken since its work began. */
	hasPendingWake(): boolean;
	/** Undefined when there is nothing to do. */
	readonly running: Promise<void> | undefined;
}

export interface BackgroundWorkerOptions {
	work(): Promise<void>;
	/** The work failed; it is done again a little later. */
	onError(error: unknown): void;
	/** Ends the loop after the work that is under way. */
	readonly signal: AbortSignal;
}

const RETRY_MS = 5_000;

export function createBackgroundWorker({ work, onError, signal }: BackgroundWorkerOptions): BackgroundWorker {
	let isWakePending = false;
	let running: Promise<void> | undefined;

	async function run(): Promise<void> {
		while (isWakePending && !signal.aborted) {
			isWakePending = false;
			try {
				await work();
			} catch (error) {
				onError(error);
				isWakePending = true;
				await wait(RETRY_MS, undefined, { signal }).catch(() => undefined);
			}
		}
	}

	function wake(): void {
		isWakePending = true;
		running ??= run().finally(() => {
			running = undefined;
			// Woken after the last look.
			if (isWakePending && !signal.aborted) wake();
		});
	}

	return {
		wake,
		hasPendingWake: () => isWakePending,
		get running() {
			return running;
		},
	};
}
