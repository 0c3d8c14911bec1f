/** Work by key, one after the other: what comes to one run from outside of it, for example. */
export class KeyedMutex {
	readonly #tasks = new Map<string, Promise<unknown>>();

	runExclusive<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
		const previous = this.#tasks.get(key);
		const task = previous === undefined ? work() : previous.then(work, work);
		this.#tasks.set(key, task);
		const end = (): void => {
			if (this.#tasks.get(key) === task) this.#tasks.delete(key);
		};
		task.then(end, end);
		return task;
	}

	/** Lists the work that is in flight or waits for its turn, of all keys. */
	listPending(): readonly Promise<unknown>[] {
		return [...this.#tasks.values()];
	}
}
