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

export function createEventQueue<Event>(): EventQueue<Event> {
	let events: Event[] = [];
	let read = 0;
	let state: "open" | "ended" | "closed" = "open";
	let failure: { readonly error: unknown } | undefined;
	let sleepers: (() => void)[] = [];

	function change(): void {
		const woken = sleepers;
		sleepers = [];
		for (const wake of woken) wake();
	}

	function take(): Event | undefined {
		const event = events[read];
		read += 1;
		if (read === events.length) {
			events = [];
			read = 0;
		}
		return event;
	}

	return {
		push(event) {
			if (state === "closed") return;
			events.push(event);
			change();
		},
		end() {
			if (state === "open") state = "ended";
			change();
		},
		fail(error) {
			failure = { error };
			if (state === "open") state = "ended";
			change();
		},
		close() {
			state = "closed";
			events = [];
			read = 0;
			change();
		},
		async next() {
			while (read === events.length && state === "open")
				await new Promise<void>((wake) => sleepers.push(wake));
			if (state !== "closed" && read < events.length) return { done: false, value: take() as Event };
			if (state !== "closed" && failure !== undefined) throw failure.error;
			return { done: true, value: undefined };
		},
	};
}
