/** Append-only log of events, for any number of readers, each at its own pace. */
export class EventLog<Event> {
	readonly #events: Event[] = [];
	#isEnded = false;
	#waiters: (() => void)[] = [];

	get events(): readonly Event[] {
		return this.#events;
	}

	get isEnded(): boolean {
		return this.#isEnded;
	}

	append(events: readonly Event[]): void {
		this.#events.push(...events);
		this.#notifyAll();
	}

	/** No more events will come. */
	end(): void {
		this.#isEnded = true;
		this.#notifyAll();
	}

	/** Waits for the event at an index, from 0. Returns `undefined` after the last event. */
	async at(index: number): Promise<Event | undefined> {
		while (index >= this.#events.length && !this.#isEnded)
			await new Promise<void>((notify) => this.#waiters.push(notify));
		return this.#events[index];
	}

	#notifyAll(): void {
		for (const notify of this.#waiters.splice(0)) notify();
	}
}
