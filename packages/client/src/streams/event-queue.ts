/** Maximum length of wire text that waits to be read, about a megabyte; one event is always accepted. */
const MAX_QUEUED_CHARACTERS = 2 ** 20;
/** Cost of an event besides its text, in characters. */
const EVENT_OVERHEAD_CHARACTERS = 100;

interface QueuedEvent<Event> {
	readonly value: Event;
	readonly cost: number;
}

/** Events that were pushed and not yet read; one reader. */
export class EventQueue<Event> {
	#queued: QueuedEvent<Event>[] = [];
	#cost = 0;
	#ended: { readonly error?: unknown } | undefined;
	#waiters: (() => void)[] = [];
	readonly #onEmpty: (() => void) | undefined;

	/** @param onEmpty - is called whenever the reader has to wait. */
	constructor(onEmpty?: () => void) {
		this.#onEmpty = onEmpty;
	}

	/** True once the queue has reached its size limit. Events that are pushed after that are still queued. */
	get isFull(): boolean {
		return this.#cost >= MAX_QUEUED_CHARACTERS;
	}

	push(event: Event, length: number): void {
		if (this.#ended !== undefined) return;
		const cost = length + EVENT_OVERHEAD_CHARACTERS;
		this.#queued.push({ value: event, cost });
		this.#cost += cost;
		this.wake();
	}

	/** Reading ends, or fails with an error, after what was pushed before. */
	end(failure: { readonly error?: unknown } = {}): void {
		this.#ended ??= failure;
		this.wake();
	}

	/** Drops all queued events and all later ones; reading ends. */
	close(): void {
		this.#queued = [];
		this.#cost = 0;
		this.#ended = {};
		this.wake();
	}

	/** Waits until the reader has taken something, or `wake` is called. */
	waitForChange(): Promise<void> {
		return new Promise((resolve) => this.#waiters.push(resolve));
	}

	wake(): void {
		if (this.#waiters.length > 0) for (const wakeWaiter of this.#waiters.splice(0)) wakeWaiter();
	}

	#next(): Promise<IteratorResult<Event, undefined>> {
		const first = this.#queued.shift();
		if (first !== undefined) {
			this.#cost -= first.cost;
			this.wake();
			return Promise.resolve({ done: false, value: first.value });
		}
		if (this.#ended === undefined) {
			this.#onEmpty?.();
			return this.waitForChange().then(() => this.#next());
		}
		if ("error" in this.#ended) return Promise.reject(this.#ended.error);
		return Promise.resolve({ done: true, value: undefined });
	}

	/** Reading by `for await`; leaving the loop calls `onReturn`. */
	toIterator(onReturn: () => void): AsyncIterator<Event, undefined> {
		return {
			next: () => this.#next(),
			async return() {
				onReturn();
				return { done: true, value: undefined };
			},
		};
	}
}
