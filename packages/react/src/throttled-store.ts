/** A state outside React, for `useSyncExternalStore`. */
export interface ThrottledStore<State, Event> {
	/** Returns the state, with all pushed events applied. */
	get(): State;
	/** Notifies listeners at once. Pushed events that were not read are dropped. */
	set(state: State): void;
	/** Notifies listeners by the end of the frame, once for all events in it. */
	push(event: Event): void;
	/** Checks whether a component shows the store. */
	hasSubscribers(): boolean;
	subscribe(listener: () => void): () => void;
}

/** Interval of a timer: `requestAnimationFrame` stops in hidden tabs and is missing outside browsers. */
const FRAME_MS = 16;

/**
 * Creates a store that applies events when its state is read.
 *
 * @param reduce - applies all events since the last read at once, because each step may copy the earlier state.
 * @param onSubscribersChange - called when a listener is added or removed.
 */
export function createThrottledStore<State, Event>(
	initial: State,
	reduce: (state: State, events: readonly Event[]) => State,
	onSubscribersChange: () => void,
): ThrottledStore<State, Event> {
	const listeners = new Set<() => void>();
	let state = initial;
	let pending: Event[] = [];
	let timer: ReturnType<typeof setTimeout> | undefined;

	function notify(): void {
		clearTimeout(timer);
		timer = undefined;
		for (const listener of [...listeners]) listener();
	}

	return {
		get() {
			const events = pending;
			pending = [];
			// The same one as before, unless something happened: React compares.
			if (events.length > 0) state = reduce(state, events);
			return state;
		},
		set(next) {
			pending = [];
			state = next;
			notify();
		},
		push(event) {
			pending.push(event);
			timer ??= setTimeout(notify, FRAME_MS);
		},
		hasSubscribers: () => listeners.size > 0,
		subscribe(listener) {
			listeners.add(listener);
			onSubscribersChange();
			return () => {
				listeners.delete(listener);
				onSubscribersChange();
			};
		},
	};
}

/**
 * Calls back in a microtask, so that strict mode's mount, unmount and mount in one tick have no effect. If a page's own
 * callback throws or rejects, the error is reported as an error of the page.
 */
export const queueSafely = (callback: () => unknown): void =>
	void Promise.resolve()
		.then(callback)
		.catch((error) => (globalThis.reportError ?? console.error)(error));
