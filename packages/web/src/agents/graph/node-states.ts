import type { RunSpan } from "../../runs/run-view";

/** State of a node in a run: of its last invocation, or that it goes on in any. */
export type NodeState = RunSpan["status"];

/** Finds the states of the nodes that have run so far. */
export function findNodeStates(spans: Iterable<RunSpan>): ReadonlyMap<string, NodeState> {
	const states = new Map<string, NodeState>();
	for (const { kind, node, status } of spans) {
		if (kind === "wait" || states.get(node) === "running") continue;
		states.set(node, status);
	}
	return states;
}
