import { A2aServerError } from "@stemma/a2a-server";
import type { WireRunEvent } from "@stemma/client";
import { onAbort } from "../platform/on-abort";
import type { LoggedEvent } from "../runs/event-log";
import type { Run, RunWatcher } from "../runs/run";
import { waitForChange } from "../runs/wait-for-change";

/** Longest wait for a change, in milliseconds, before checking whether a reader is still there. */
const MAX_WAIT_MS = 60_000;

/** Returns the events of a run so far; if its first events are gone, a summary of them. */
export function readEvents(run: Run): readonly WireRunEvent[] {
	const last = run.log.lastSeq - 1;
	// The last event of a run that has completed tells all that became of it.
	const isComplete = run.result?.status === "completed";
	const events = run.log.after(isComplete ? last : 0) ?? (run.result && run.log.after(last));
	return events === undefined ? summarize(run) : events.map(parse);
}

/** A run under way whose log grew too long: that it goes on, and its text so far. */
function summarize({ id, text, log: { lastSeq }, statusAt }: Run): readonly WireRunEvent[] {
	const base = { run_id: id, at: statusAt, seq: lastSeq };
	return [
		{ ...base, type: "run.started" },
		{ ...base, type: "text.delta", node: "", invocation: 0, text, final: true },
	];
}

/** The events of a run after a seq, in portions, to its end. Watches the run as long as it is read. */
export async function* watchEvents(
	run: Run,
	after: number,
	signal: AbortSignal,
): AsyncGenerator<readonly WireRunEvent[]> {
	const watcher: RunWatcher = { onChange: () => undefined };
	run.watch(watcher);
	let seq = after;
	try {
		while (!signal.aborted) {
			const events = run.log.after(seq);
			if (events === undefined) throw eventsExpired();
			seq = events.at(-1)?.seq ?? seq;
			if (events.length > 0) yield events.map(parse);
			else if (run.result !== undefined) return;
			else await waitForChange(run, MAX_WAIT_MS, (stopWaiting) => onAbort(signal, stopWaiting));
		}
	} finally {
		run.unwatch(watcher);
	}
}

/** Parses a logged event, which was an event when it was logged. */
const parse = ({ json }: LoggedEvent): WireRunEvent => JSON.parse(json) as WireRunEvent;

const eventsExpired = (): A2aServerError =>
	new A2aServerError("INTERNAL_ERROR", "The stream was read too slowly, so its next events were dropped.", {
		code: "events_expired",
		hint: "The task continues. Read it with GetTask, or subscribe to it again.",
	});
