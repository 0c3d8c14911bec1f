/** Limit on how many pieces of work run at once; the others wait in the order in which they came. */
export type Semaphore = <Result>(work: () => Promise<Result>) => Promise<Result>;

export function createSemaphore(count: number): Semaphore {
	const waiters: (() => void)[] = [];
	let free = count;
	return async (work) => {
		if (free === 0) await new Promise<void>((resolve) => waiters.push(resolve));
		else free -= 1;
		try {
			return await work();
		} finally {
			const next = waiters.shift();
			if (next === undefined) free += 1;
			else next();
		}
	};
}
