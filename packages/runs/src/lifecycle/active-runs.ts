import { clock } from "@stemma/core/internal";
import type { EventRecord } from "../store/event-record";
import type { RunStore } from "../store/run-store";
import { type RunChangeListener, RunFeed } from "../watch/run-feed";
import { RunWatcher } from "../watch/run-watcher";
import { type WatchOptions, waitUntilSettled, watchRun } from "../watch/watch-run";
import type { ActiveRun } from "./active-run";

/** Time in milliseconds that a run continues without a watcher. */
export const UNWATCHED_TIMEOUT_MS = 600_000;

interface Entry<Run> {
	readonly run: Run;
	/** Epoch milliseconds; undefined while somebody watches. */
	unwatchedSince: number | undefined;
}

/** Options of closing active runs. */
export interface CloseOptions<Run> {
	/** Time in milliseconds that runs get to end by themselves. */
	readonly graceMs: number;
	/** Time in milliseconds that they get after they were stopped. Default: as long as they take. */
	readonly stopMs?: number;
	/** Lists what is about to start a run: that is waited for, too. */
	listPending(): readonly Promise<unknown>[];
	/** Stops the runs that are in progress when the grace is over. */
	stop(runs: readonly Run[]): void;
}

/** Runs in progress in this process, and those who watch runs of their store. */
export class ActiveRuns<Run extends ActiveRun> {
	readonly feed = new RunFeed();
	readonly #store: Pick<RunStore, "readEvents" | "findHead">;
	readonly #entries = new Map<string, Entry<Run>>();

	constructor(store: Pick<RunStore, "readEvents" | "findHead">) {
		this.#store = store;
	}

	get size(): number {
		return this.#entries.size;
	}

	get(id: string): Run | undefined {
		return this.#entries.get(id)?.run;
	}

	list(): Run[] {
		return [...this.#entries.values()].map(({ run }) => run);
	}

	add(id: string, run: Run): void {
		this.#entries.set(id, { run, unwatchedSince: this.feed.has(id) ? undefined : clock.now() });
	}

	delete(id: string): void {
		this.#entries.delete(id);
	}

	/** Adds a watcher of a run: while there is one, the run continues. */
	watch(id: string, listener: RunChangeListener): void {
		this.feed.add(id, listener);
		const entry = this.#entries.get(id);
		if (entry !== undefined) entry.unwatchedSince = undefined;
	}

	unwatch(id: string, listener: RunChangeListener): void {
		if (!this.feed.remove(id, listener)) return;
		const entry = this.#entries.get(id);
		if (entry !== undefined) entry.unwatchedSince = clock.now();
	}

	/** Restarts the time of being unwatched, since somebody has read the run. */
	touch(id: string): void {
		const entry = this.#entries.get(id);
		if (entry?.unwatchedSince !== undefined) entry.unwatchedSince = clock.now();
	}

	/** Cancels the runs that nobody has watched for so long. */
	cancelUnwatched(now: number, timeoutMs = UNWATCHED_TIMEOUT_MS): void {
		for (const { run, unwatchedSince = now } of this.#entries.values())
			if (!run.isBackground && now - unwatchedSince >= timeoutMs) run.cancel();
	}

	/** Watches the events of a run after a sequence number; see {@link watchRun}. */
	async *watchEvents(
		runId: string,
		after: number,
		signal: AbortSignal,
		options?: WatchOptions,
	): AsyncGenerator<readonly EventRecord[]> {
		const watcher = new RunWatcher();
		this.watch(runId, watcher);
		try {
			yield* watchRun(this.#store, { ...options, ...this.#watched(runId, signal, watcher), after });
		} finally {
			this.unwatch(runId, watcher);
		}
	}

	/** Resolves once a run has ended or paused, or when the signal aborts. Watches the run meanwhile. */
	async waitUntilSettled(runId: string, signal: AbortSignal): Promise<void> {
		const watcher = new RunWatcher();
		this.watch(runId, watcher);
		try {
			await waitUntilSettled(this.#store, this.#watched(runId, signal, watcher));
		} finally {
			this.unwatch(runId, watcher);
		}
	}

	#watched(runId: string, signal: AbortSignal, watcher: RunWatcher) {
		return { runId, signal, watcher, isActive: () => this.#entries.has(runId) };
	}

	/** Lets all runs end until the grace is over, then stops them. */
	async close({
		graceMs,
		stopMs = Number.POSITIVE_INFINITY,
		listPending,
		stop,
	}: CloseOptions<Run>): Promise<void> {
		await waitAtMost(graceMs, this.#untilIdle(listPending));
		stop(this.list());
		await waitAtMost(stopMs, this.#untilIdle(listPending));
	}

	/** Runs in progress may start others. */
	async #untilIdle(listPending: () => readonly Promise<unknown>[]): Promise<void> {
		for (;;) {
			const work = [...listPending(), ...this.list().map((run) => run.settled())];
			if (work.length === 0) return;
			await Promise.allSettled(work);
		}
	}
}

/** Waits for the work, at most so long. */
async function waitAtMost(milliseconds: number, work: Promise<void>): Promise<void> {
	if (milliseconds === Number.POSITIVE_INFINITY) return work;
	let timer: ReturnType<typeof setTimeout> | undefined;
	const timeOver = new Promise<void>((resolve) => {
		timer = setTimeout(resolve, milliseconds);
	});
	await Promise.race([work, timeOver]);
	clearTimeout(timer);
}
