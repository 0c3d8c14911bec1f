import type { RunError } from "@stemma/core";
import { visibleText } from "@stemma/core/internal";
import { finishAnswer } from "../answer/answer-text";
import { closeApproval } from "../run/approvals";
import { discardCall } from "../run/call-queue";
import { emitCompleted, emitNodeEvent } from "../run/emit";
import { completeRun, failRun } from "../run/end-run";
import { discardModelCall } from "../run/receipt";
import { elapsed, type RunState } from "../run/run-state";
import { inheritVerbatim, joinContinuations } from "./continuation";
import { toModelText } from "./convert-value";
import { fail } from "./create-invocation";
import type { Invocation } from "./invocation";
import { startTurns } from "./start-invocation";
import { recordCallResult } from "./tool-calls";

/** Ends an invocation, with its value or its error, and tells whoever waits for it. */
export function settleInvocation(run: RunState, invocation: Invocation): void {
	if (invocation.closed) return;
	const { parent, error, slot } = invocation;
	if (parent === undefined) return settleRoot(run, invocation);
	close(run, invocation);
	if (invocation.mode === "call")
		recordCallResult(
			run,
			parent,
			slot,
			error === undefined ? toModelText(invocation.value) : describeError(error, invocation),
			error !== undefined,
		);
	else if (error === undefined) onChildCompleted(run, parent, invocation);
	else onChildFailed(run, parent, invocation, error);
}

/** Sends the rest of the answer, then closes the root node. */
function settleRoot(run: RunState, root: Invocation): void {
	const output = root.error === undefined ? finishAnswer(run, root) : null;
	close(run, root);
	if (root.error === undefined) completeRun(run, output);
	else failRun(run, root.error);
}

function close(run: RunState, invocation: Invocation): void {
	invocation.closed = true;
	run.openInvocations.delete(invocation);
	if (run.approvals.length > 0) closeApproval(run, invocation);
	const { error, startedAt } = invocation;
	if (error === undefined) return emitCompleted(run, invocation);
	emitNodeEvent(run, invocation, { type: "node.failed", error, ms: elapsed(run) - startedAt });
}

/**
 * Describes an error for the calling model. Includes the hint of a tool, which is meant for its caller; hints of other
 * nodes are meant for the author of the graph.
 */
function describeError({ code, message, hint }: RunError, { node }: Invocation): string {
	const advice = node.definition.kind === "tool" && hint !== undefined ? ` ${hint}` : "";
	return visibleText(`${code}: ${message}${advice}`);
}

function onChildCompleted(run: RunState, parent: Invocation, child: Invocation): void {
	if (parent.closed || parent.error !== undefined) return;
	const { mode, slot, value } = child;
	parent.pendingChildren -= 1;
	if (mode !== "before") inheritVerbatim(parent, child);
	if (mode === "handoff") {
		parent.value = value;
		run.tasks.push({ type: "continue", invocation: parent });
		return;
	}
	parent.results[slot] = value;
	if (parent.pendingChildren > 0) return;
	if (mode === "before") return startTurns(run, parent);
	parent.value = joinContinuations(parent);
	run.tasks.push({ type: "settle", invocation: parent });
}

/** A `before`, `then` or handoff target that fails, fails the node; its siblings are of no use any more. */
function onChildFailed(run: RunState, parent: Invocation, child: Invocation, error: RunError): void {
	if (parent.closed || parent.error !== undefined) return;
	if (child.scope !== parent.scope) run.commands.push({ type: "abort", scope: child.scope });
	if (parent.pendingChildren > 1) closeDescendants(run, parent);
	fail(run, parent, error.details?.node === undefined ? addErrorOrigin(error, child, parent) : error);
}

/** Adds the failed node to the message of an error; done once, where the error began, not at each parent. */
function addErrorOrigin(error: RunError, { node, mode }: Invocation, parent: Invocation): RunError {
	const relation =
		mode === "handoff"
			? `to which "${parent.node.id}" handed over`
			: `which runs ${mode === "before" ? "before" : "after"} "${parent.node.id}"`;
	const message = `"${node.id}", ${relation}, failed: ${error.message}`;
	return { ...error, message, details: { ...error.details, node: node.id } };
}

function closeDescendants(run: RunState, ancestor: Invocation): void {
	const error = { code: "cancelled", message: "A sibling failed, so the result was no longer needed." };
	for (const invocation of [...run.openInvocations].reverse())
		if (isDescendant(invocation, ancestor)) {
			invocation.error = error;
			close(run, invocation);
		}
	for (const command of [...run.pendingCalls])
		if (!isDescendant(command.invocation, ancestor)) continue;
		else if (command.type === "model") discardModelCall(run, command);
		else discardCall(run, command);
	for (const task of run.tasks) if (isDescendant(task.invocation, ancestor)) task.invocation.closed = true;
}

function isDescendant(invocation: Invocation, ancestor: Invocation): boolean {
	for (let above = invocation.parent; above !== undefined; above = above.parent)
		if (above === ancestor) return true;
	return false;
}
