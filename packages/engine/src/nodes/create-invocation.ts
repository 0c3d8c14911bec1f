import type { RunError } from "@stemma/core";
import { elapsed, type RunState } from "../run/run-state";
import type { Invocation } from "./invocation";

/** Shared by all invocations until they have something of their own. A write would throw. */
const NONE: never[] = [];
Object.freeze(NONE);

/** Makes an invocation; nothing happens until its `start` task is done. */
export function createInvocation(
	run: RunState,
	origin: Pick<Invocation, "node" | "mode" | "parent" | "slot" | "depth" | "input" | "isTail" | "scope"> &
		Partial<Pick<Invocation, "handoff">>,
): Invocation {
	run.invocations += 1;
	return {
		id: run.invocations,
		node: origin.node,
		mode: origin.mode,
		parent: origin.parent,
		slot: origin.slot,
		depth: origin.depth,
		input: origin.input,
		isTail: origin.isTail,
		scope: origin.scope,
		handoff: origin.handoff,
		startedAt: elapsed(run),
		closed: false,
		children: NONE,
		pendingChildren: 0,
		results: NONE,
		messages: [],
		initialMessageCount: 0,
		characters: 0,
		turns: 0,
		repaired: false,
		toolCalls: NONE,
		toolMessages: NONE,
		callCounts: undefined,
		retrieval: undefined,
		isRetrieved: false,
		value: null,
		verbatim: false,
		error: undefined,
		truncated: false,
		inputTokens: 0,
		outputTokens: 0,
		modelCalls: 0,
		steps: 0,
	};
}

/** Ends an invocation without a value; its `settle` task tells whoever waits for it. */
export function fail(run: RunState, invocation: Invocation, error: RunError): void {
	if (invocation.closed) return;
	invocation.error = error;
	run.tasks.push({ type: "settle", invocation });
}
