/** Numbers of the passages of one workspace: each is given once. */
export interface PassageNumbers {
	/** Gives numbers that follow one another. @returns the first one. */
	reserve(count: number): Promise<number>;
	/** Begins at a number, once the uploads were recovered. */
	startAt(next: number): void;
}

/** Creates numbers of a store of one process, which counts in memory. */
export function createPassageNumbers(): PassageNumbers {
	let next = 1;
	return {
		async reserve(count) {
			const first = next;
			next += count;
			return first;
		},
		startAt(first) {
			next = first;
		},
	};
}
