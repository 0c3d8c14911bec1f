import type { EventRecord } from "../store/event-record";
import type { LoggedEvent } from "../store/run-store";

/** Listener to the changes of one run. */
export interface RunChangeListener {
	/**
	 * Called when the run has changed. Throws nothing.
	 *
	 * @param batch - its events that were written just now; undefined for a change without an event.
	 */
	onChange(batch?: readonly EventRecord[]): void;
	/**
	 * Called when another process may have written events of the run, which the store has. Throws nothing. Left out where no
	 * other process writes.
	 */
	onMissed?(): void;
}

/** Hands what was written to the listeners of its run, so that no watcher that has caught up reads the store. */
export class RunFeed {
	/** Lists are replaced, not changed: a listener may come or go while the others are notified. */
	readonly #listeners = new Map<string, readonly RunChangeListener[]>();

	add(runId: string, listener: RunChangeListener): void {
		const all = this.#listeners.get(runId);
		this.#listeners.set(runId, all === undefined ? [listener] : [...all, listener]);
	}

	/** Removes a listener. Returns whether it was the last one of its run. */
	remove(runId: string, listener: RunChangeListener): boolean {
		const all = this.#listeners.get(runId);
		if (all?.includes(listener) !== true) return false;
		if (all.length === 1) return this.#listeners.delete(runId);
		this.#listeners.set(
			runId,
			all.filter((other) => other !== listener),
		);
		return false;
	}

	/** Lists the runs that have listeners. */
	listWatched(): string[] {
		return [...this.#listeners.keys()];
	}

	has(runId: string): boolean {
		return this.#listeners.has(runId);
	}

	/** Hands a batch that was written to the listeners of its runs. All of them get the same one. */
	publish(events: readonly LoggedEvent[]): void {
		if (this.#listeners.size === 0) return;
		const batches = new Map<string, LoggedEvent[]>();
		for (const event of events) {
			const batch = batches.get(event.runId);
			if (batch === undefined) batches.set(event.runId, [event]);
			else batch.push(event);
		}
		for (const [runId, batch] of batches) this.notify(runId, batch);
	}

	/** Notifies the listeners of a run that has changed, with the events of its change. */
	notify(runId: string, batch?: readonly EventRecord[]): void {
		const all = this.#listeners.get(runId);
		if (all !== undefined) for (const listener of all) listener.onChange(batch);
	}

	/** Notifies the listeners of a run that another process may have written events of it. */
	notifyMissed(runId: string): void {
		const all = this.#listeners.get(runId);
		if (all !== undefined) for (const listener of all) listener.onMissed?.();
	}
}
