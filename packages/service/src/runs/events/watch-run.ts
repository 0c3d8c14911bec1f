import type { WireRunEvent } from "@stemma/client";
import type { Database } from "../../store/database";
import type { WorkspaceTables } from "../../store/workspace-tables";
import { findRun, type RunRow, readEvents } from "../run-rows";
import type { RunWatcher } from "./run-watchers";

/** Options of watching the events of a run to its end or its pause. */
export interface WatchOptions {
	/** Goes on with a run that waits for a person, until it has ended. Default false: it ends with the pause. */
	readonly untilEnd?: boolean;
}

export interface WatchedRun {
	readonly runId: string;
	readonly signal: AbortSignal;
	readonly watcher: RunWatcher;
	/** Returns whether the run is active in this process: its row shows nothing new then. */
	readonly isActive: () => boolean;
}

const EVENTS_PER_BATCH = 200;

/**
 * The events of a run after a seq, in portions as they happen; ends with its last one, or with a pause. Who begins behind
 * the pause knows of it, and waits for what comes next.
 */
export async function* watchRun(
	database: Database<WorkspaceTables>,
	{
		runId,
		after,
		signal,
		watcher,
		isActive,
		untilEnd = false,
	}: WatchedRun & WatchOptions & { readonly after: number },
): AsyncGenerator<readonly WireRunEvent[]> {
	let seq = after;
	const isFinished = ({ status, last_seq }: RunRow): boolean =>
		status !== "running" && last_seq <= seq && (status !== "paused" || !(untilEnd || seq === after));
	for (;;) {
		const events = await readEvents(database, runId, seq, EVENTS_PER_BATCH);
		if (events.length > 0) yield events;
		seq = events.at(-1)?.seq ?? seq;
		if (isTerminal(events.at(-1))) return;
		if (events.length > 0) continue;
		const row = isActive() ? undefined : await findRun(database, runId);
		if (row !== undefined && isFinished(row)) return;
		if (signal.aborted) return;
		await watcher.waitForChange(signal);
	}
}

/** Resolves once a run does not move: it has ended, or waits for a person. */
export async function waitUntilSettled(
	database: Database<WorkspaceTables>,
	{ runId, signal, watcher, isActive }: WatchedRun,
): Promise<void> {
	while (!signal.aborted) {
		const row = isActive() ? undefined : await findRun(database, runId);
		if (row !== undefined && row.status !== "running") return;
		await watcher.waitForChange(signal);
	}
}

const isTerminal = (event: WireRunEvent | undefined): boolean =>
	event?.type === "run.completed" || event?.type === "run.failed" || event?.type === "run.cancelled";
