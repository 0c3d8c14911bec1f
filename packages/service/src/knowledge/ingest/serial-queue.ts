import type { ClaimedUpload } from "../repositories/upload-repository";

/** One claim after another, whichever queue it is from. */
export interface SerialQueue {
	/**
	 * Claims and reads uploads. While a poison candidate is read, nothing else is: if the process ends, it alone is the
	 * cause.
	 */
	run(claimUploads: () => Promise<readonly ClaimedUpload[]>): Promise<readonly ClaimedUpload[]>;
	/** Blocks the queue: nothing is claimed before `blocker` has settled. */
	blockUntil(blocker: Promise<unknown>): void;
}

export function createSerialQueue(): SerialQueue {
	let last: Promise<unknown> = Promise.resolve();
	let blocked: Promise<unknown> = Promise.resolve();
	return {
		run(claimUploads) {
			const result = last.then(() => blocked).then(claimUploads);
			last = result.catch(() => undefined);
			return result;
		},
		blockUntil(blocker) {
			blocked = blocker.catch(() => undefined);
		},
	};
}
