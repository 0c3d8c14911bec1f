import type { ClaimedUpload } from "../jobs/claim-uploads-job";

/** One claim after another, whichever queue it is from. */
export interface SerialQueue {
	/** While a poison candidate is read, nothing else is: it alone is to be blamed if the process ends. */
	run(claimUploads: () => Promise<readonly ClaimedUpload[]>): Promise<readonly ClaimedUpload[]>;
	/** Nothing is claimed before this has settled. */
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
