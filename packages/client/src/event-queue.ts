/** Events that were pushed and not yet read; one reader. */
export interface EventQueue<Event> {
	push(event: Event): void;
	/** No more events will come. */
	end(): void;
	/** Reads fail from now on, after what was pushed before. */
	fail(error: unknown): void;
	/** Throws away what was pushed and what will be; reading ends. */
	close(): void;
	next(): Promise<IteratorResult<Event, undefined>>;
}

type End = { readonly error?: unknown; readonly isFailure: boolean };

export function createEventQueue<Event>(): EventQueue<Event> {
	let events: Event[] = [];
	let read = 0;
	let isClosed = false;
	let ended: End | undefined;
	let sleepers: (() => void)[] = [];

	function change(): void {
		const woken = sleepers;
		sleepers = [];
		for (const wake of woken) wake();
	}

	function end(how: End): void {
		ended ??= how;
		change();
	}

	function take(): IteratorResult<Event, undefined> {
		const value = events[read] as Event;
		read += 1;
		if (read === events.length) {
			events = [];
			read = 0;
		}
		return { done: false, value };
	}

	return {
		push(event) {
			if (isClosed || ended !== undefined) return;
			events.push(event);
			change();
		},
		end: () => end({ isFailure: false }),
		fail: (error) => end({ error, isFailure: true }),
		close() {
			isClosed = true;
			events = [];
			read = 0;
			change();
		},
		async next() {
			while (read === events.length && ended === undefined && !isClosed)
				await new Promise<void>((wake) => sleepers.push(wake));
			if (isClosed) return { done: true, value: undefined };
			if (read < events.length) return take();
			if (ended?.isFailure === true) throw ended.error;
			return { done: true, value: undefined };
		},
	};
}
