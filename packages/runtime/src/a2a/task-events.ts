import { A2aServerError } from "@stemma/a2a-server";
import type { WireRunEvent } from "@stemma/client";
import { isStemmaError } from "@stemma/core/errors";
import { type ActiveRuns, parseEvent } from "@stemma/runs";
import type { Run } from "../runs/run";

/** Returns the events of a run so far; if its first events are gone, a summary of them. */
export function readEvents(run: Run): readonly WireRunEvent[] {
	const last = run.log.lastSeq - 1;
	// The last event of a run that has completed tells all that became of it.
	const isComplete = run.result?.status === "completed";
	const events = run.log.after(isComplete ? last : 0) ?? (run.result && run.log.after(last));
	return events === undefined ? summarize(run) : events.map(parseEvent);
}

/** A run under way whose log grew too long: that it goes on, and its text so far. */
function summarize({ id, text, log: { lastSeq }, statusAt }: Run): readonly WireRunEvent[] {
	const base = { run_id: id, at: statusAt, seq: lastSeq };
	return [
		{ ...base, type: "run.started" },
		{ ...base, type: "text.delta", node: "", invocation: 0, text, final: true },
	];
}

/** Reads the events of a run after a seq as they happen, in batches, to its end. Watches the run meanwhile. */
export async function* watchEvents(
	active: ActiveRuns<Run>,
	run: Run,
	after: number,
	signal: AbortSignal,
): AsyncGenerator<readonly WireRunEvent[]> {
	try {
		for await (const events of active.watchEvents(run.id, after, signal, { untilEnd: true }))
			yield events.map(parseEvent);
	} catch (error) {
		throw isStemmaError(error) && error.code === "events_expired" ? eventsExpired() : error;
	}
}

const eventsExpired = (): A2aServerError =>
	new A2aServerError("INTERNAL_ERROR", "The stream was read too slowly, so its next events were dropped.", {
		code: "events_expired",
		hint: "The task continues. Read it with GetTask, or subscribe to it again.",
	});
