import type { RunEvent } from "@stemma/core";
import type { Invocation } from "./invocation";
import type { RunState } from "./run-state";

type Distribute<Event> = Event extends RunEvent ? Omit<Event, "run_id" | "seq" | "at"> : never;
type DistributeNode<Event> = Event extends { invocation: number }
	? Omit<Event, "run_id" | "seq" | "at" | "node" | "invocation" | "parent">
	: never;

/** Adds an event of the run; `seq` grows by one, without gaps. */
export function emit(run: RunState, event: Distribute<RunEvent>): void {
	run.seq += 1;
	// The three fields complete the member of the union that `event` is.
	run.events.push({ run_id: run.runId, seq: run.seq, at: run.now, ...event } as RunEvent);
}

/** Adds an event of one invocation. */
export function emitOf(
	run: RunState,
	{ node, id, parent }: Invocation,
	event: DistributeNode<RunEvent>,
): void {
	run.seq += 1;
	const place = { run_id: run.runId, seq: run.seq, at: run.now, node: node.id, invocation: id };
	// The fields of the place complete the member of the union that `event` is.
	run.events.push(
		(parent === undefined ? { ...event, ...place } : { ...event, ...place, parent: parent.id }) as RunEvent,
	);
}
