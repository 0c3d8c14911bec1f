/** Does so many pieces of work at once; the others wait in the order in which they came. */
export type Lanes = <Result>(work: () => Promise<Result>) => Promise<Result>;

export function createLanes(count: number): Lanes {
	const waiting: (() => void)[] = [];
	let free = count;
	return async (work) => {
		if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve));
		else free -= 1;
		try {
			return await work();
		} finally {
			const next = waiting.shift();
			if (next === undefined) free += 1;
			else next();
		}
	};
}
