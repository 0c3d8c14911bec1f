import type { JsonObject, RunEvent, RunUsage } from "@stemma/core";
import type { Invocation } from "../nodes/invocation";
import { elapsed, type RunState } from "./run-state";

// Most events are written out as literals: V8 copies objects of many shapes in one place five times as slowly as it creates
// them. Those of an invocation with a parent and without one are two shapes, so that no event has a field without a value.

type EventInput<Event> = Event extends RunEvent ? Omit<Event, "run_id" | "seq" | "at"> : never;
type NodeEventInput<Event> = Event extends { invocation: number }
	? Omit<Event, "run_id" | "seq" | "at" | "node" | "invocation" | "parent">
	: never;

/** Adds an event of the run; `seq` grows by one, without gaps. */
export function emit(run: RunState, event: EventInput<RunEvent>): void {
	run.seq += 1;
	run.events.push({ ...event, run_id: run.runId, seq: run.seq, at: run.now });
}

/** Adds an event of one invocation, of a kind that is rare. */
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

/** Adds `node.started`. */
export function emitStarted(run: RunState, { node, id: invocation, parent, mode, input }: Invocation): void {
	run.seq += 1;
	const { runId: run_id, seq, now: at } = run;
	const { kind } = node.definition;
	const type = "node.started";
	run.events.push(
		parent === undefined
			? { type, kind, mode, input, node: node.id, invocation, run_id, seq, at }
			: { type, kind, mode, input, node: node.id, invocation, parent: parent.id, run_id, seq, at },
	);
}

/** Adds `text.delta`. */
export function emitText(
	run: RunState,
	{ node, id: invocation, parent }: Invocation,
	text: string,
	final: boolean,
): void {
	run.seq += 1;
	const { runId: run_id, seq, now: at } = run;
	const type = "text.delta";
	run.events.push(
		parent === undefined
			? { type, text, final, node: node.id, invocation, run_id, seq, at }
			: { type, text, final, node: node.id, invocation, parent: parent.id, run_id, seq, at },
	);
}

/** Adds `tool.called`. */
export function emitCalled(
	run: RunState,
	{ node, id: invocation, parent }: Invocation,
	{ id: call_id, name: callee }: { readonly id: string; readonly name: string },
	args: JsonObject,
): void {
	run.seq += 1;
	const { runId: run_id, seq, now: at } = run;
	const type = "tool.called";
	run.events.push(
		parent === undefined
			? { type, callee, call_id, arguments: args, node: node.id, invocation, run_id, seq, at }
			: {
					type,
					callee,
					call_id,
					arguments: args,
					node: node.id,
					invocation,
					parent: parent.id,
					run_id,
					seq,
					at,
				},
	);
}

/** Adds `node.completed` with the invocation's value and usage. */
export function emitCompleted(run: RunState, completed: Invocation): void {
	const { node, id: invocation, parent, value: output } = completed;
	const ms = elapsed(run) - completed.startedAt;
	const usage = toUsage(completed);
	if (completed.truncated)
		return emitNodeEvent(run, completed, { type: "node.completed", output, usage, ms, truncated: true });
	run.seq += 1;
	const { runId: run_id, seq, now: at } = run;
	const type = "node.completed";
	run.events.push(
		parent === undefined
			? { type, output, usage, ms, node: node.id, invocation, run_id, seq, at }
			: { type, output, usage, ms, node: node.id, invocation, parent: parent.id, run_id, seq, at },
	);
}

const toUsage = ({ inputTokens, outputTokens, modelCalls, steps }: Invocation): RunUsage => ({
	input_tokens: inputTokens,
	output_tokens: outputTokens,
	model_calls: modelCalls,
	steps,
});
