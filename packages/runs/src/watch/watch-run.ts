import { type EventRecord, isTerminal } from "../store/event-record";

import type { RunHead, RunStore } from "../store/run-store";
import type { RunWatcher } from "./run-watcher";

/** Options of watching the events of a run to its end or its pause. */
export interface WatchOptions {
	/** Goes on with a run that waits for a person, until it has ended. Default false: it ends with the pause. */
	readonly untilEnd?: boolean;
}

/** Run with one of its watchers. */
export interface WatchedRun {
	readonly runId: string;
	readonly signal: AbortSignal;
	readonly watcher: RunWatcher;
	/** Returns whether the run is active in this process: its head shows nothing new then. */
	readonly isActive: () => boolean;
}

type WatchedStore = Pick<RunStore, "readEvents" | "findHead">;

const EVENTS_PER_READ = 200;

/**
 * The events of a run after a sequence number, in batches as they are written; ends with its last one, or with a pause. A
 * watcher that begins behind the pause knows of it, and waits for what comes next.
 */
export async function* watchRun(
	store: WatchedStore,
	{
		runId,
		after,
		signal,
		watcher,
		isActive,
		untilEnd = false,
	}: WatchedRun & WatchOptions & { readonly after: number },
): AsyncGenerator<readonly EventRecord[]> {
	let seq = after;
	const isFinished = ({ status, lastSeq }: RunHead): boolean =>
		status !== "running" && lastSeq <= seq && (status !== "paused" || !(untilEnd || seq === after));
	for (;;) {
		let hasEvents = false;
		const batches = watcher.take();
		for await (const batch of batches ?? catchUp(store, runId, seq)) {
			const events = skipUntil(batch, seq);
			const last = events.at(-1);
			if (last === undefined) continue;
			yield events;
			if (isTerminal(last)) return;
			seq = last.seq;
			hasEvents = true;
		}
		if (hasEvents) continue;
		const head = isActive() ? undefined : await store.findHead(runId);
		if (head !== undefined && isFinished(head)) return;
		if (signal.aborted) return;
		await watcher.waitForChange(signal);
	}
}

/** Reads all events after a sequence number. What is written meanwhile reaches the watcher, too. */
async function* catchUp(
	store: WatchedStore,
	runId: string,
	after: number,
): AsyncGenerator<readonly EventRecord[]> {
	let seq = after;
	for (;;) {
		const events = await store.readEvents(runId, seq, EVENTS_PER_READ);
		if (events.length > 0) yield events;
		if (events.length < EVENTS_PER_READ) return;
		seq = events.at(-1)?.seq ?? seq;
	}
}

/** A batch may have been read before it arrives. */
const skipUntil = (batch: readonly EventRecord[], seq: number): readonly EventRecord[] =>
	(batch[0]?.seq ?? 0) > seq ? batch : batch.filter((event) => event.seq > seq);

/** Resolves once a run does not move: it has ended, or waits for a person. */
export async function waitUntilSettled(
	store: Pick<RunStore, "findHead">,
	{ runId, signal, watcher, isActive }: WatchedRun,
): Promise<void> {
	while (!signal.aborted) {
		const head = isActive() ? undefined : await store.findHead(runId);
		if (head !== undefined && head.status !== "running") return;
		await watcher.waitForChange(signal);
	}
}
