import type { TakenUpload } from "./take-uploads-job";

/** One take after another, whichever queue it is from. */
export interface TakeTurns {
	/** While a suspect is read, nothing else is: it alone is to be blamed if the process ends. */
	take(takeUploads: () => Promise<readonly TakenUpload[]>): Promise<readonly TakenUpload[]>;
	/** Nothing is taken before this has settled. */
	holdFor(suspect: Promise<unknown>): void;
}

export function createTakeTurns(): TakeTurns {
	let taking: Promise<unknown> = Promise.resolve();
	let held: Promise<unknown> = Promise.resolve();
	return {
		take(takeUploads) {
			const taken = taking.then(() => held).then(takeUploads);
			taking = taken.catch(() => undefined);
			return taken;
		},
		holdFor(suspect) {
			held = suspect.catch(() => undefined);
		},
	};
}
