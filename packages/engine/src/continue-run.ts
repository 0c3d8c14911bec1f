import { takeBackAnswer } from "./answer-text";
import { applyDecisions } from "./approvals";
import { planCall } from "./call-queue";
import type { CallCommand, ModelCommand } from "./command";
import type { Invocation } from "./invocation";
import { settleModelCall } from "./receipt";
import { onRemoteFailed } from "./remote-call";
import type { RunState } from "./run-state";
import { onToolFailed } from "./tool-call";

/** Goes on where a run was saved: with what was planned, and with what was out and nobody heard the end of. */
export function continueRun(run: RunState): void {
	reopenScopes(run);
	for (const command of run.retrieving) run.commands.push(command);
	const planned = run.waiting.splice(0);
	for (const command of [...run.calls]) if (!planned.includes(command)) continueCall(run, command);
	for (const command of planned) planAgain(run, command);
	applyDecisions(run);
}

/** Those below one another come in that order: parents are started before their children. */
function reopenScopes(run: RunState): void {
	const known = new Set([0]);
	for (const { scope, parent } of run.open) {
		if (known.has(scope)) continue;
		known.add(scope);
		run.commands.push({ type: "scope", scope, within: parent?.scope ?? 0 });
	}
}

/** Another model may answer now. */
function planAgain(run: RunState, command: CallCommand): void {
	if (command.type === "model") {
		const model = run.models[command.invocation.node.index];
		if (model !== undefined) command.account = model.account;
	}
	planCall(run, command);
}

function continueCall(run: RunState, command: CallCommand): void {
	if (command.type === "model") return askAgain(run, command);
	const { invocation } = command;
	if (command.type === "remote") return onRemoteFailed(run, command, { error: outcomeUnknown(invocation) });
	if (run.tools[invocation.node.index]?.idempotent === true) return planCall(run, command);
	onToolFailed(run, command, outcomeUnknown(invocation));
}

/** The same turn once more; what was sent for the first call has to be paid. */
function askAgain(run: RunState, command: ModelCommand): void {
	const { invocation } = command;
	settleModelCall(run, command);
	takeBackAnswer(run, invocation);
	run.steps -= 1;
	invocation.steps -= 1;
	invocation.turns -= 1;
	run.tasks.push({ do: "turn", invocation });
}

const outcomeUnknown = ({ node }: Invocation) => ({
	code: "outcome_unknown",
	message: `"${node.id}" was called, and the run was interrupted before its result came: the outcome is unknown. It was not called again.`,
	hint: "Find out whether it took effect before you repeat it.",
});
