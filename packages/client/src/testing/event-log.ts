/** Append-only log of events, for any number of readers, each at its own pace. */
export interface EventLog<Event> {
	readonly events: readonly Event[];
	readonly isEnded: boolean;
	append(events: readonly Event[]): void;
	/** No more events will come. */
	end(): void;
	/** Waits for the event at an index, from 0. Returns `undefined` after the last event. */
	at(index: number): Promise<Event | undefined>;
}

export function createEventLog<Event>(): EventLog<Event> {
	const events: Event[] = [];
	let isEnded = false;
	let waiters: (() => void)[] = [];

	function notifyAll(): void {
		const notified = waiters;
		waiters = [];
		for (const notify of notified) notify();
	}

	return {
		events,
		get isEnded() {
			return isEnded;
		},
		append(more) {
			events.push(...more);
			notifyAll();
		},
		end() {
			isEnded = true;
			notifyAll();
		},
		async at(index) {
			while (index >= events.length && !isEnded)
				await new Promise<void>((notify) => {
					waiters.push(notify);
				});
			return events[index];
		},
	};
}
