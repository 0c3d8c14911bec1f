import { retractAnswer } from "../answer/answer-text";
import type { Invocation } from "../nodes/invocation";
import { onRemoteFailed } from "../nodes/remote-node";
import { onToolFailed } from "../nodes/tool-node";
import { applyDecisions } from "./approvals";
import { enqueueCall } from "./call-queue";
import type { CallCommand, ModelCommand } from "./command";
import { recordModelCall } from "./receipt";
import type { RunState } from "./run-state";

/** Goes on where a run was saved: with calls that were queued, and with those in flight that nobody heard the end of. */
export function resumeRun(run: RunState): void {
	reopenScopes(run);
	for (const command of run.pendingRetrievals) run.commands.push(command);
	const queued = run.queuedCalls.splice(0);
	for (const command of [...run.pendingCalls]) if (!queued.includes(command)) resumeCall(run, command);
	for (const command of queued) requeueCall(run, command);
	applyDecisions(run);
}

/** Reopens the abort scopes. Outer scopes come before inner ones, since parents are started before their children. */
function reopenScopes(run: RunState): void {
	const known = new Set([0]);
	for (const { scope, parent } of run.openInvocations) {
		if (known.has(scope)) continue;
		known.add(scope);
		run.commands.push({ type: "scope", scope, within: parent?.scope ?? 0 });
	}
}

/** Another model may answer now. */
function requeueCall(run: RunState, command: CallCommand): void {
	if (command.type === "model") {
		const model = run.models[command.invocation.node.index];
		if (model !== undefined) command.account = model.account;
	}
	enqueueCall(run, command);
}

function resumeCall(run: RunState, command: CallCommand): void {
	if (command.type === "model") return retryTurn(run, command);
	const { invocation } = command;
	if (command.type === "remote") return onRemoteFailed(run, command, { error: outcomeUnknown(invocation) });
	if (run.tools[invocation.node.index]?.idempotent === true) return enqueueCall(run, command);
	onToolFailed(run, command, outcomeUnknown(invocation));
}

/** Repeats a turn of a resumed run; the first call stays on the receipt, since what was sent has to be paid. */
function retryTurn(run: RunState, command: ModelCommand): void {
	const { invocation } = command;
	recordModelCall(run, command);
	retractAnswer(run, invocation);
	run.steps -= 1;
	invocation.steps -= 1;
	invocation.turns -= 1;
	run.tasks.push({ type: "turn", invocation });
}

const outcomeUnknown = ({ node }: Invocation) => ({
	code: "outcome_unknown",
	message: `"${node.id}" was called, and the run was interrupted before its result came: the outcome is unknown. It was not called again.`,
	hint: "Find out whether it took effect before you repeat it.",
});
