import { onReasoning, onText, withdrawAnswer } from "../answer/answer-text";
import { onRemoteReset, onRemoteText } from "../answer/remote-text";
import { describeToolSets } from "../io/describe-tools";
import { toRunError } from "../io/to-run-error";
import { startContinuations } from "../nodes/continuation";
import { createInvocation, fail } from "../nodes/create-invocation";
import { onReply } from "../nodes/end-turn";
import type { Invocation } from "../nodes/invocation";
import { onPassages, onRetrievalFailed } from "../nodes/knowledge-node";
import { onRemoteFailed, onRemoteOutcome } from "../nodes/remote-node";
import { settleInvocation } from "../nodes/settle-invocation";
import { startInvocation } from "../nodes/start-invocation";
import { startTurn, toAccount } from "../nodes/start-turn";
import { onToolFailed, onToolOutput } from "../nodes/tool-node";
import { applyDecisions, denyExpired } from "./approvals";
import { startQueuedCalls } from "./call-queue";
import { clearList } from "./clear-list";
import type { ModelCommand, Signal } from "./command";
import { emit } from "./emit";
import { cancelRun, failRun, pauseRun } from "./end-run";
import { timeoutError } from "./limits";
import { fillSystemMessages, findContextProblem } from "./prepare-run";
import { recordModelCall } from "./receipt";
import { resumeRun } from "./resume-run";
import { elapsed, type RunState } from "./run-state";

/**
 * The one place where a run changes: what the world said goes in, events and commands come out (in `run.events` and
 * `run.commands`). No I/O, no clock, no chance: the same signals in the same order give the same run. Whatever goes
 * wrong in here ends the run in order.
 */
export function transition(run: RunState, signal: Signal): void {
	if (run.result !== undefined) return;
	try {
		if (isTimedOut(run)) failRun(run, timeoutError(run));
		else onSignal(run, signal);
		runTasks(run);
		startQueuedCalls(run);
		// A step of its own: whoever hears of this one may decide yet.
		if (run.approvals.length > 0 && isIdle(run)) run.commands.push({ type: "idle" });
	} catch (error) {
		failRun(run, toRunError(error, "internal_error"));
	}
}

/** Checks whether nothing is in flight that something waits for. */
function isIdle({ result, isReady, inFlight, pendingRetrievals }: RunState): boolean {
	if (result !== undefined || !isReady || inFlight > 0) return false;
	for (const { entry } of pendingRetrievals) if (entry.waiters.some(({ closed }) => !closed)) return false;
	return true;
}

/** A stream that never pauses would not let a timer fire. */
const isTimedOut = (run: RunState): boolean => elapsed(run) >= run.limits.timeoutMs;

function onSignal(run: RunState, signal: Signal): void {
	switch (signal.type) {
		case "text":
			return onText(run, signal.command, signal.text);
		case "reasoning":
			return onReasoning(run, signal.command, signal.text);
		case "reply":
			return onReply(run, signal.command, signal.reply, signal.output);
		case "passages":
			return onPassages(run, signal.command, signal.retrieval);
		case "output":
			return onToolOutput(run, signal.command, signal.output);
		case "failed":
			if (signal.command.type === "tool") return onToolFailed(run, signal.command, signal.error);
			if (signal.command.type === "remote") return onRemoteFailed(run, signal.command, signal);
			if (signal.command.type === "retrieve") return onRetrievalFailed(run, signal.command, signal);
			return onModelFailed(run, signal.command, signal);
		case "remote-text":
			return onRemoteText(run, signal.command, signal.text);
		case "remote-reset":
			return onRemoteReset(run, signal.command);
		case "outcome":
			return onRemoteOutcome(run, signal.command, signal.outcome);
		case "timeout":
			return failRun(run, timeoutError(run));
		case "cancel":
			return cancelRun(run);
		case "start":
			return onBegin(run);
		case "resume":
			emit(run, { type: "run.resumed" });
			if (signal.withdrawsText) withdrawAnswer(run);
			run.commands.push({ type: "resolve" });
			return;
		case "decide":
			return run.isReady ? applyDecisions(run) : undefined;
		case "idle":
			return onIdle(run);
		case "resolve-failed":
			return failRun(run, signal.error);
		case "resolved":
			return onResolved(run, signal);
	}
}

/** Pauses the run if only approvals are left to wait for. */
function onIdle(run: RunState): void {
	if (run.approvals.length > 0 && isIdle(run) && !denyExpired(run)) pauseRun(run);
}

/** A stream may break after its reply was whole; that reply stands. */
function onModelFailed(
	run: RunState,
	command: ModelCommand,
	{ error, report }: Extract<Signal, { type: "failed" }>,
): void {
	if (!run.pendingCalls.has(command)) return;
	recordModelCall(run, command, report);
	fail(run, command.invocation, error);
}

function onBegin(run: RunState): void {
	const { graph, context } = run;
	emit(run, { type: "run.started", ...(graph.name === undefined ? {} : { agent: graph.name }) });
	const problem = findContextProblem(graph, context);
	if (problem === undefined) run.commands.push({ type: "resolve" });
	else failRun(run, problem);
}

function onResolved(run: RunState, { models, tools }: Extract<Signal, { type: "resolved" }>): void {
	run.models = models.map((resolved) => resolved && { model: resolved.model, account: toAccount(resolved) });
	run.tools = tools;
	if (run.graph.toolCallers.length > 0) run.toolSets = describeToolSets(run.graph, tools);
	run.systemMessages = fillSystemMessages(run);
	run.isReady = true;
	if (run.invocations > 0) resumeRun(run);
	else run.tasks.push({ type: "start", invocation: createRoot(run) });
}

function createRoot(run: RunState): Invocation {
	return createInvocation(run, {
		node: run.graph.coordinator,
		mode: "start",
		parent: undefined,
		slot: 0,
		depth: 0,
		input: run.input,
		isTail: true,
		scope: 0,
	});
}

/** Tasks make further tasks; a queue instead of recursion, so that long chains need no deep stack. */
function runTasks(run: RunState): void {
	for (let index = 0; index < run.tasks.length; index++) {
		const task = run.tasks[index];
		if (task === undefined || task.invocation.closed) continue;
		if (task.type === "start") startInvocation(run, task.invocation);
		else if (task.type === "turn") startTurn(run, task.invocation);
		else if (task.type === "continue") startContinuations(run, task.invocation);
		else settleInvocation(run, task.invocation);
	}
	clearList(run.tasks);
}
