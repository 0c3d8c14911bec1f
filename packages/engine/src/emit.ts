import type { RunEvent } from "@stemma/core";
import type { Invocation } from "./invocation";
import type { RunState } from "./run-state";

type Distribute<Event> = Event extends RunEvent ? Omit<Event, "run_id" | "seq" | "at"> : never;
type DistributeNode<Event> = Event extends { invocation: number }
	? Omit<Event, "run_id" | "seq" | "at" | "node" | "invocation" | "parent">
	: never;

/** The fields that every event gets here; `event` is a literal of the caller's and is completed in place. */
interface Numbered {
	run_id: string;
	seq: number;
	at: number;
	node?: string;
	invocation?: number;
	parent?: number;
}

/** Adds an event of the run; `seq` grows by one, without gaps. */
export function emit(run: RunState, event: Distribute<RunEvent>): void {
	number(run, event as unknown as Numbered);
}

/** Adds an event of one invocation. */
export function emitOf(
	run: RunState,
	{ node, id, parent }: Invocation,
	event: DistributeNode<RunEvent>,
): void {
	const numbered = event as unknown as Numbered;
	numbered.node = node.id;
	numbered.invocation = id;
	if (parent !== undefined) numbered.parent = parent.id;
	number(run, numbered);
}

function number(run: RunState, event: Numbered): void {
	run.seq += 1;
	event.run_id = run.runId;
	event.seq = run.seq;
	event.at = run.now;
	// The fields set here and in emitOf complete the member of the union that the event is.
	run.events.push(event as unknown as RunEvent);
}
