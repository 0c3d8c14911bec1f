import type { ConnectionLock } from "./worker-threads/thread-dialect";

/** Observers of all writes of a process. */
export interface WriteObserver {
	/** Called before each transaction, statement and job that may write. Default: nothing. */
	readonly prepareWrite?: () => void;
	/** Called after each with its duration in milliseconds, and with the wait for its turn. Default: nothing. */
	readonly onWrite?: ((ms: number) => void) | undefined;
}

/** Creates a lock that is released again where the write cannot be prepared, and that measures how long each write takes. */
export function createWriteLock(
	mutex: ConnectionLock,
	{ prepareWrite = () => undefined, onWrite = () => undefined }: WriteObserver,
): ConnectionLock {
	let askedAt = 0;
	return {
		async acquire() {
			const startedAt = performance.now();
			await mutex.acquire();
			try {
				prepareWrite();
			} catch (error) {
				mutex.release();
				throw error;
			}
			askedAt = startedAt;
		},
		release() {
			onWrite(performance.now() - askedAt);
			mutex.release();
		},
	};
}
