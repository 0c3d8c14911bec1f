import type { RunEvent } from "@stemma/core";
import type { Invocation } from "../nodes/invocation";
import type { RunState } from "./run-state";

type EventInput<Event> = Event extends RunEvent ? Omit<Event, "run_id" | "seq" | "at"> : never;
type NodeEventInput<Event> = Event extends { invocation: number }
	? Omit<Event, "run_id" | "seq" | "at" | "node" | "invocation" | "parent">
	: never;

/** Adds an event of the run; `seq` grows by one, without gaps. */
export function emit(run: RunState, event: EventInput<RunEvent>): void {
	run.seq += 1;
	run.events.push({ ...event, run_id: run.runId, seq: run.seq, at: run.now });
}

/** Adds an event of one invocation. */
export function emitNodeEvent(
	run: RunState,
	{ node, id, parent }: Invocation,
	event: NodeEventInput<RunEvent>,
): void {
	run.seq += 1;
	const { runId: run_id, seq, now: at } = run;
	run.events.push(
		parent === undefined
			? { ...event, node: node.id, invocation: id, run_id, seq, at }
			: { ...event, node: node.id, invocation: id, parent: parent.id, run_id, seq, at },
	);
}
