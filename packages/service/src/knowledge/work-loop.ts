import { setTimeout as wait } from "node:timers/promises";

/** Does some work whenever there may be some, never twice at once. */
export interface WorkLoop {
	/** There may be work. Woken while it works, it looks again after that. */
	wake(): void;
	/** Whether it was woken since the work began. */
	isWoken(): boolean;
	/** Undefined when there is nothing to do. */
	readonly running: Promise<void> | undefined;
}

export interface WorkLoopOptions {
	work(): Promise<void>;
	/** The work failed; it is done again a little later. */
	onError(error: unknown): void;
	/** Ends the loop after the work that is under way. */
	readonly signal: AbortSignal;
}

const RETRY_MS = 5_000;

export function createWorkLoop({ work, onError, signal }: WorkLoopOptions): WorkLoop {
	let isWanted = false;
	let running: Promise<void> | undefined;

	async function run(): Promise<void> {
		while (isWanted && !signal.aborted) {
			isWanted = false;
			try {
				await work();
			} catch (error) {
				onError(error);
				isWanted = true;
				await wait(RETRY_MS, undefined, { signal }).catch(() => undefined);
			}
		}
	}

	function wake(): void {
		isWanted = true;
		running ??= run().finally(() => {
			running = undefined;
			// Woken after the last look.
			if (isWanted && !signal.aborted) wake();
		});
	}

	return {
		wake,
		isWoken: () => isWanted,
		get running() {
			return running;
		},
	};
}
