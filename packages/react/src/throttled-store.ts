/** A state outside React, for `useSyncExternalStore`. */
export interface ThrottledStore<State, Event> {
	/** Returns the state, with all pushed events applied. */
	get(): State;
	/** Tells listeners at once. What was pushed and not looked at is forgotten. */
	set(state: State): void;
	/** Tells listeners by the end of the frame, once for all that happened in it. */
	push(event: Event): void;
	/** Checks whether a component shows the store. */
	hasSubscribers(): boolean;
	subscribe(listener: () => void): () => void;
}

/** A timer, as `requestAnimationFrame` stands still in hidden tabs and is missing outside browsers. */
const FRAME_MS = 16;

/**
 * @param reduce - takes in what happened since somebody last looked, all at once: a step may copy what came before.
 * @param onSubscribersChange - the first listener may have come, or the last one gone.
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
 * Calls back in a microtask: strict mode mounts, unmounts and mounts in the same tick, which then has no effect. An
 * error that a page's own callback throws or rejects with is reported as an error of the page.
 */
export const queueSafely = (callback: () => unknown): void =>
	void Promise.resolve()
		.then(callback)
		.catch((error) => (globalThis.reportError ?? console.error)(error));
