/** Events that were pushed and not yet read; one reader. What was read is let go at once. */
export interface EventQueue<Event> {
	push(event: Event): void;
	/** No more events will come. */
	end(): void;
	/** Reads fail from now on, after what was pushed before. */
	fail(error: unknown): void;
	/** Throws away what was pushed and what will be; reading ends. */
	close(): void;
	/** Sends events to the listener at once from now on, after those that were not read yet. */
	subscribe(listener: (event: Event) => void): void;
	next(): Promise<IteratorResult<Event, undefined>>;
}

interface Link<Event> {
	next?: Entry<Event>;
}

interface Entry<Event> extends Link<Event> {
	readonly event: Event;
}

export function createEventQueue<Event>(): EventQueue<Event> {
	let head: Link<Event> = {};
	let tail = head;
	let ended: { readonly error?: unknown } | undefined;
	let waiters: (() => void)[] = [];
	let listener: ((event: Event) => void) | undefined;

	function resolveWaiters(): void {
		const resolved = waiters;
		waiters = [];
		for (const wake of resolved) wake();
	}

	function end(outcome: { readonly error?: unknown }): void {
		ended ??= outcome;
		resolveWaiters();
	}

	return {
		push(event) {
			if (ended !== undefined) return;
			if (listener !== undefined) return listener(event);
			const entry: Entry<Event> = { event };
			tail.next = entry;
			tail = entry;
			resolveWaiters();
		},
		end: () => end({}),
		fail: (error) => end({ error }),
		close() {
			head = tail = {};
			ended = {};
			resolveWaiters();
		},
		subscribe(to) {
			listener = to;
			for (let link = head.next; link !== undefined; link = link.next) to(link.event);
			head = tail = {};
		},
		async next() {
			while (head.next === undefined && ended === undefined)
				await new Promise<void>((wake) => {
					waiters.push(wake);
				});
			const { next } = head;
			if (next !== undefined) {
				head = next;
				return { done: false, value: next.event };
			}
			if (ended !== undefined && "error" in ended) throw ended.error;
			return { done: true, value: undefined };
		},
	};
}
