import type { RunError } from "@stemma/core";
import { visibleText } from "@stemma/core/internal";
import { finishAnswer } from "./answer-text";
import { closeApproval } from "./approvals";
import { abandonCall } from "./call-queue";
import { answerCall } from "./calls";
import { joinContinuations, takeQuotes } from "./continuation";
import { emitOf } from "./emit";
import { completeRun, failRun } from "./end-run";
import { fail, type Invocation } from "./invocation";
import { abandonModelCall } from "./receipt";
import { elapsed, type RunState } from "./run-state";
import { beginTurns } from "./start-invocation";
import { toModelText } from "./value";

/** Ends an invocation, with its value or its error, and tells whoever waits for it. */
export function settle(run: RunState, invocation: Invocation): void {
	if (invocation.closed) return;
	const { parent, error, slot } = invocation;
	if (parent === undefined) return settleRoot(run, invocation);
	close(run, invocation);
	if (invocation.mode === "call")
		answerCall(
			run,
			parent,
			slot,
			error === undefined ? toModelText(invocation.value) : describe(error, invocation),
			error !== undefined,
		);
	else if (error === undefined) advance(run, parent, invocation);
	else failParent(run, parent, invocation, error);
}

/** What of the answer was not sent yet is sent before its node is closed. */
function settleRoot(run: RunState, root: Invocation): void {
	const output = root.error === undefined ? finishAnswer(run, root) : null;
	close(run, root);
	if (root.error === undefined) completeRun(run, output);
	else failRun(run, root.error);
}

function close(run: RunState, invocation: Invocation): void {
	invocation.closed = true;
	run.open.delete(invocation);
	if (run.approvals.length > 0) closeApproval(run, invocation);
	const ms = elapsed(run) - invocation.startedAt;
	if (invocation.error !== undefined)
		return emitOf(run, invocation, { type: "node.failed", error: invocation.error, ms });
	const usage = {
		input_tokens: invocation.inputTokens,
		output_tokens: invocation.outputTokens,
		model_calls: invocation.modelCalls,
		steps: invocation.steps,
	};
	const output = invocation.value;
	if (invocation.truncated)
		emitOf(run, invocation, { type: "node.completed", output, usage, ms, truncated: true });
	else emitOf(run, invocation, { type: "node.completed", output, usage, ms });
}

/** What a tool advises is for whoever calls it; the hints of others are for whoever wrote the graph. */
function describe({ code, message, hint }: RunError, { node }: Invocation): string {
	const advice = node.definition.kind === "tool" && hint !== undefined ? ` ${hint}` : "";
	return visibleText(`${code}: ${message}${advice}`);
}

function advance(run: RunState, parent: Invocation, child: Invocation): void {
	if (parent.closed || parent.error !== undefined) return;
	const { mode, slot, value } = child;
	parent.waiting -= 1;
	if (mode !== "before") takeQuotes(parent, child);
	if (mode === "handoff") {
		parent.value = value;
		run.tasks.push({ do: "continue", invocation: parent });
		return;
	}
	parent.results[slot] = value;
	if (parent.waiting > 0) return;
	if (mode === "before") return beginTurns(run, parent);
	parent.value = joinContinuations(parent);
	run.tasks.push({ do: "settle", invocation: parent });
}

/** A `before`, `then` or hand-over target that fails, fails the node; its siblings are of no use any more. */
function failParent(run: RunState, parent: Invocation, child: Invocation, error: RunError): void {
	if (parent.closed || parent.error !== undefined) return;
	if (child.scope !== parent.scope) run.commands.push({ type: "abort", scope: child.scope });
	if (parent.waiting > 1) closeDescendants(run, parent);
	fail(run, parent, error.details?.node === undefined ? nameOrigin(error, child, parent) : error);
}

/** Said once, where it began, however far it reaches. */
function nameOrigin(error: RunError, { node, mode }: Invocation, parent: Invocation): RunError {
	const relation =
		mode === "handoff"
			? `to which "${parent.node.id}" handed over`
			: `which runs ${mode === "before" ? "before" : "after"} "${parent.node.id}"`;
	const message = `"${node.id}", ${relation}, failed: ${error.message}`;
	return { ...error, message, details: { ...error.details, node: node.id } };
}

function closeDescendants(run: RunState, ancestor: Invocation): void {
	const error = { code: "cancelled", message: "A sibling failed, so this was of no use any more." };
	for (const invocation of [...run.open].reverse())
		if (isBelow(invocation, ancestor)) {
			invocation.error = error;
			close(run, invocation);
		}
	for (const command of [...run.calls])
		if (!isBelow(command.invocation, ancestor)) continue;
		else if (command.type === "model") abandonModelCall(run, command);
		else abandonCall(run, command);
	for (const task of run.tasks) if (isBelow(task.invocation, ancestor)) task.invocation.closed = true;
}

function isBelow(invocation: Invocation, ancestor: Invocation): boolean {
	for (let above = invocation.parent; above !== undefined; above = above.parent)
		if (above === ancestor) return true;
	return false;
}
