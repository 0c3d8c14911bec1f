/** Work on a run that comes from outside of it, one after the other: starting, deciding and cancelling do not meet. */
export interface KeyedMutex {
	runExclusive<Result>(key: string, work: () => Promise<Result>): Promise<Result>;
	/** Lists the work that is in flight or waits for its turn, of all runs. */
	listPending(): readonly Promise<unknown>[];
}

export function createKeyedMutex(): KeyedMutex {
	const tasks = new Map<string, Promise<unknown>>();
	return {
		runExclusive(key, work) {
			const previous = tasks.get(key);
			const task = previous === undefined ? work() : previous.then(work, work);
			tasks.set(key, task);
			const end = (): void => {
				if (tasks.get(key) === task) tasks.delete(key);
			};
			task.then(end, end);
			return task;
		},
		listPending: () => [...tasks.values()],
	};
}
