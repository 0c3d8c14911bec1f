import type { RunEvent } from "@stemma/core";
import type { Invocation } from "../nodes/invocation";
import type { RunState } from "./run-state";

type EventInput<Event> = Event extends RunEvent ? Omit<Event, "run_id" | "seq" | "at"> : never;
type NodeEventInput<Event> = Event extends { invocation: number }
	? Omit<Event, "run_id" | "seq" | "at" | "node" | "invocation" | "parent">
	: never;

/** The fields that every event gets here; `event` is a literal of the caller's and is completed in place. */
interface EventFields {
	run_id: string;
	seq: number;
	at: number;
	node?: string;
	invocation?: number;
	parent?: number;
}

/** Adds an event of the run; `seq` grows by one, without gaps. */
export function emit(run: RunState, event: EventInput<RunEvent>): void {
	appendEvent(run, event as unknown as EventFields);
}

/** Adds an event of one invocation. */
export function emitNodeEvent(
	run: RunState,
	{ node, id, parent }: Invocation,
	event: NodeEventInput<RunEvent>,
): void {
	const nodeEvent = event as unknown as EventFields;
	nodeEvent.node = node.id;
	nodeEvent.invocation = id;
	if (parent !== undefined) nodeEvent.parent = parent.id;
	appendEvent(run, nodeEvent);
}

function appendEvent(run: RunState, event: EventFields): void {
	run.seq += 1;
	event.run_id = run.runId;
	event.seq = run.seq;
	event.at = run.now;
	// The fields set here and in emitNodeEvent complete the member of the union that the event is.
	run.events.push(event as unknown as RunEvent);
}
