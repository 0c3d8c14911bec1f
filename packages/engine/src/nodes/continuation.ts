import type { Json } from "@stemma/core";
import type { CompiledNode } from "../graph/compiled-graph";
import { guardHolds } from "../graph/guard";
import { openScope, type RunState } from "../run/run-state";
import { createInvocation } from "./create-invocation";
import type { Invocation } from "./invocation";

/** Runs the `then` edges of a node on its value; without any, the value stands. */
export function startContinuations(run: RunState, invocation: Invocation): void {
	const targets = chooseTargets(invocation.node, invocation.value);
	if (targets.length === 0) {
		run.tasks.push({ type: "settle", invocation });
		return;
	}
	const scope = openScope(run, invocation, targets.length);
	const { depth, value: input } = invocation;
	const isTail = invocation.isTail && !isFanOut(invocation.node);
	invocation.results = [];
	invocation.verbatim = isFanOut(invocation.node) ? {} : false;
	invocation.pendingChildren = targets.length;
	invocation.children = targets.map((node, slot) =>
		createInvocation(run, { node, mode: "then", parent: invocation, slot, depth, input, isTail, scope }),
	);
	for (const child of invocation.children)
		if (child !== undefined) run.tasks.push({ type: "start", invocation: child });
}

const NONE: readonly never[] = [];

/** All of the plain ones, or the first of a switch that holds. */
function chooseTargets({ continuations, isSwitch }: CompiledNode, value: Json): readonly CompiledNode[] {
	if (continuations.length === 0) return NONE;
	if (!isSwitch) return continuations.map(({ node }) => node);
	const taken = continuations.find(({ when }) => when === undefined || guardHolds(when, value));
	return taken === undefined ? NONE : [taken.node];
}

const isFanOut = ({ continuations, isSwitch }: CompiledNode): boolean =>
	!isSwitch && continuations.length > 1;

/**
 * Passes the provenance of the text of a continuation, or of a node that was handed off to, on to the parent unchanged.
 */
export function inheritVerbatim(parent: Invocation, { node, verbatim }: Invocation): void {
	if (typeof parent.verbatim === "object") parent.verbatim[node.id] = verbatim;
	else parent.verbatim = verbatim;
}

/**
 * Joins the values of the continuations to the node's value: one value as it is, several as an object keyed by node id.
 */
export function joinContinuations({ node, results }: Invocation): Json {
	if (!isFanOut(node)) return results[0] ?? null;
	return Object.fromEntries(
		node.continuations.map((target, slot) => [target.node.id, results[slot] ?? null]),
	);
}
