import type { Json, RunError, RunResult } from "@stemma/core";
import { judgeCitations } from "../answer/judge-citations";
import { listApprovals } from "./approvals";
import { emit, emitNodeEvent } from "./emit";
import { addRows, discardModelCall } from "./receipt";
import { elapsed, type RunState } from "./run-state";

/** Ends the run with the coordinator's value. */
export function completeRun(run: RunState, output: Json): void {
	const result = endRun(run, "completed", output, undefined, CANCELLED);
	if (result !== undefined) emit(run, { type: "run.completed", result });
}

/** Ends the run before its time; the result holds what was done so far. */
export function failRun(run: RunState, error: RunError): void {
	const result = endRun(run, "failed", partialOutput(run), error, error);
	if (result !== undefined) emit(run, { type: "run.failed", error, result });
}

/** Ends the run because its caller wants no more of it. */
export function cancelRun(run: RunState): void {
	const result = endRun(run, "cancelled", partialOutput(run), undefined, CANCELLED);
	if (result !== undefined) emit(run, { type: "run.cancelled", result });
}

/** Pauses a run that cannot continue without a person's decision. */
export function pauseRun(run: RunState): void {
	recordPendingRetrievals(run);
	const result = { ...toResult(run, "paused", partialOutput(run), undefined), approvals: listApprovals(run) };
	// Nobody waits any more for what may still be in flight.
	if (run.pendingCalls.size + run.pendingRetrievals.size > 0) run.commands.push({ type: "abort", scope: 0 });
	run.result = result;
	emit(run, { type: "run.paused", result });
}

/** Writes the rows of retrievals that the run does not wait for, as far as their port tells. */
function recordPendingRetrievals(run: RunState): void {
	for (const { readReceipt } of run.pendingRetrievals) addRows(run, readReceipt?.() ?? []);
}

const CANCELLED: RunError = { code: "cancelled", message: "The run ended first." };

/** Closes and aborts what is still under way; what was only queued is not begun. */
function endRun(
	run: RunState,
	status: "completed" | "failed" | "cancelled",
	output: Json,
	error: RunError | undefined,
	reason: RunError,
): RunResult | undefined {
	if (run.result !== undefined) return undefined;
	const hasActiveWork = run.pendingCalls.size + run.pendingRetrievals.size > 0 || !run.isReady;
	closeOpenInvocations(run, reason);
	recordPendingRetrievals(run);
	run.tasks.length = 0;
	run.queuedCalls.length = 0;
	run.inFlight = 0;
	run.approvals.length = 0;
	if (run.commands.length > 0) keepAbortCommands(run);
	if (hasActiveWork) run.commands.push({ type: "abort", scope: 0 });
	run.result = toResult(run, status, output, error);
	return run.result;
}

function keepAbortCommands({ commands }: RunState): void {
	const aborts = commands.filter(({ type }) => type === "abort");
	commands.splice(0, commands.length, ...aborts);
}

function closeOpenInvocations(run: RunState, error: RunError): void {
	for (const command of [...run.pendingCalls]) if (command.type === "model") discardModelCall(run, command);
	for (const invocation of [...run.openInvocations].reverse()) {
		invocation.closed = true;
		emitNodeEvent(run, invocation, { type: "node.failed", error, ms: elapsed(run) - invocation.startedAt });
	}
	run.openInvocations.clear();
}

const partialOutput = ({ answer }: RunState): Json => (answer.text === "" ? null : answer.text);

function toResult(
	run: RunState,
	status: RunResult["status"],
	output: Json,
	error: RunError | undefined,
): RunResult {
	const receipt = run.receipt.filter((row) => row !== undefined);
	// Of an answer that broke off.
	judgeCitations(run.answer, run.passages);
	const { citations, unknown } = run.answer;
	return {
		run_id: run.runId,
		status,
		output,
		citations,
		...(unknown.length > 0 && { unknown_citations: unknown }),
		usage: {
			input_tokens: run.inputTokens,
			output_tokens: run.outputTokens,
			model_calls: receipt.length,
			steps: run.steps,
		},
		receipt,
		...(error === undefined ? {} : { error }),
	};
}
