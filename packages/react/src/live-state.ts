/** A state outside React, for `useSyncExternalStore`. */
export interface LiveState<State> {
	get(): State;
	/** Tells listeners at once. */
	set(state: State): void;
	/** Tells listeners by the end of the frame, once for all that changed in it. */
	setSoon(state: State): void;
	/** Whether a component shows it. */
	isWatched(): boolean;
	subscribe(listener: () => void): () => void;
}

/** A timer, as `requestAnimationFrame` stands still in hidden tabs and is missing outside browsers. */
const FRAME_MS = 16;

/** @param onWatched - the first listener may have come, or the last one gone. */
export function createLiveState<State>(initial: State, onWatched: () => void): LiveState<State> {
	const listeners = new Set<() => void>();
	let state = initial;
	let timer: ReturnType<typeof setTimeout> | undefined;

	function tell(): void {
		clearTimeout(timer);
		timer = undefined;
		for (const listener of [...listeners]) listener();
	}

	return {
		get: () => state,
		set(next) {
			state = next;
			tell();
		},
		setSoon(next) {
			state = next;
			timer ??= setTimeout(tell, FRAME_MS);
		},
		isWatched: () => listeners.size > 0,
		subscribe(listener) {
			listeners.add(listener);
			onWatched();
			return () => {
				listeners.delete(listener);
				onWatched();
			};
		},
	};
}

/** After what is going on: strict mode mounts, unmounts and mounts in one go, and that comes to nothing. */
export const soon = (callback: () => void): void => void Promise.resolve().then(callback);
