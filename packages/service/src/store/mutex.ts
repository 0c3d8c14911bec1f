import type { ConnectionLock } from "./threads/thread-dialect";

/** One at a time, in the order in which they came. */
export function createMutex(): ConnectionLock {
	const queue: (() => void)[] = [];
	let isLocked = false;
	return {
		lock() {
			if (isLocked) return new Promise((resolve) => queue.push(resolve));
			isLocked = true;
			return Promise.resolve();
		},
		unlock() {
			const next = queue.shift();
			if (next === undefined) isLocked = false;
			else next();
		},
	};
}

/** Lock that never waits. */
export const noLock: ConnectionLock = { lock: () => Promise.resolve(), unlock: () => undefined };
