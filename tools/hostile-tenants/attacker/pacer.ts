import { setTimeout as wait } from "node:timers/promises";

/** Holds what is sent to a steady rate, in the order in which it is asked for. */
export interface Pacer {
	/** Resolves when the next request or connection may be sent. */
	acquire(): Promise<void>;
}

export function createPacer(perSecond: number): Pacer {
	let nextMs = 0;
	return {
		async acquire() {
			const nowMs = performance.now();
			const dueMs = Math.max(nowMs, nextMs);
			nextMs = dueMs + 1000 / perSecond;
			if (dueMs > nowMs) await wait(dueMs - nowMs);
		},
	};
}
