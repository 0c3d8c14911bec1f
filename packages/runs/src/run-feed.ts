import type { EventRecord } from "./event-record";
import type { LoggedEvent } from "./run-store";

/** Hands what was written to the watchers of its run, so that no watcher that has caught up reads the store. */
export interface RunFeed {
	/** Watches a run from now on. */
	watch(runId: string): RunWatcher;
	/** Hands a batch that was written to the watchers of its runs. */
	publish(events: readonly LoggedEvent[]): void;
	/** Wakes the watchers of a run that has changed without an event. */
	notify(runId: string): void;
	/** Returns the number of watchers of a run. */
	count(runId: string): number;
}

/** Watcher of one run. */
export interface RunWatcher {
	/**
	 * Takes the batches that were written since the last call, oldest first. Undefined the first time, and after it was too
	 * slow for them: then the store has what it has not seen.
	 */
	take(): readonly (readonly EventRecord[])[] | undefined;
	/** Resolves when there is a change since the last time, or when the signal aborts. */
	waitForChange(signal: AbortSignal): Promise<void>;
	close(): void;
}

/** Events that are held for one watcher; a slower one reads the store. */
const MAX_PENDING_EVENTS = 1_000;

export function createRunFeed(): RunFeed {
	const watchers = new Map<string, Set<Watcher>>();
	return {
		watch(runId) {
			const all = watchers.get(runId) ?? new Set();
			const watcher = new Watcher(() => {
				all.delete(watcher);
				if (all.size === 0 && watchers.get(runId) === all) watchers.delete(runId);
			});
			watchers.set(runId, all.add(watcher));
			return watcher;
		},
		publish(events) {
			if (watchers.size === 0) return;
			for (const [runId, batch] of groupByRun(events))
				for (const watcher of watchers.get(runId) ?? []) watcher.push(batch);
		},
		notify(runId) {
			for (const watcher of watchers.get(runId) ?? []) watcher.wake();
		},
		count: (runId) => watchers.get(runId)?.size ?? 0,
	};
}

/** All watchers of a run get the same batch, and what one of them makes of it serves the others. */
function groupByRun(events: readonly LoggedEvent[]): Map<string, LoggedEvent[]> {
	const batches = new Map<string, LoggedEvent[]>();
	for (const event of events) {
		const batch = batches.get(event.runId);
		if (batch === undefined) batches.set(event.runId, [event]);
		else batch.push(event);
	}
	return batches;
}

class Watcher implements RunWatcher {
	readonly close: () => void;
	/** Undefined while it has to read the store. */
	#batches: (readonly EventRecord[])[] | undefined;
	#pendingEvents = 0;
	#hasChanged = false;
	#resolve: (() => void) | undefined;

	constructor(close: () => void) {
		this.close = close;
	}

	push(batch: readonly EventRecord[]): void {
		this.#pendingEvents += batch.length;
		if (this.#pendingEvents > MAX_PENDING_EVENTS) this.#batches = undefined;
		this.#batches?.push(batch);
		this.wake();
	}

	wake(): void {
		this.#hasChanged = true;
		this.#resolve?.();
	}

	take(): readonly (readonly EventRecord[])[] | undefined {
		const batches = this.#batches;
		this.#batches = [];
		this.#pendingEvents = 0;
		return batches;
	}

	async waitForChange(signal: AbortSignal): Promise<void> {
		if (!this.#hasChanged && !signal.aborted)
			await new Promise<void>((resolve) => {
				this.#resolve = resolve;
				signal.addEventListener("abort", this.#onAbort);
			});
		signal.removeEventListener("abort", this.#onAbort);
		this.#resolve = undefined;
		this.#hasChanged = false;
	}

	readonly #onAbort = (): void => this.#resolve?.();
}
