import { onReasoning, onText } from "./answer-text";
import { applyDecisions, denyExpired } from "./approvals";
import { releaseCalls } from "./call-queue";
import type { ModelCommand, Signal } from "./command";
import { startContinuations } from "./continuation";
import { continueRun } from "./continue-run";
import { describeOffers } from "./describe-tools";
import { emit } from "./emit";
import { cancelRun, failRun, pauseRun } from "./end-run";
import { onReply } from "./end-turn";
import { createInvocation, fail, type Invocation } from "./invocation";
import { timeoutError } from "./limits";
import { fillSystems, findContextProblem } from "./prepare-run";
import { settleModelCall } from "./receipt";
import { onRemoteFailed, onRemoteOutcome } from "./remote-call";
import { onRemoteReset, onRemoteText } from "./remote-text";
import { onPassages, onRetrievalFailed } from "./retrieval";
import { elapsed, type RunState } from "./run-state";
import { settle } from "./settle";
import { startInvocation } from "./start-invocation";
import { startTurn, toAccount } from "./start-turn";
import { toRunError } from "./to-run-error";
import { onToolFailed, onToolOutput } from "./tool-call";

/**
 * The one place where a run changes: what the world said goes in, events and commands come out (in `run.events` and
 * `run.commands`). No I/O, no clock, no chance: the same signals in the same order give the same run. Whatever goes
 * wrong in here ends the run in order.
 */
export function transition(run: RunState, signal: Signal): void {
	if (run.result !== undefined) return;
	try {
		if (isOverdue(run)) failRun(run, timeoutError(run));
		else receive(run, signal);
		runTasks(run);
		releaseCalls(run);
		// A step of its own: whoever hears of this one may decide yet.
		if (run.approvals.length > 0 && isStuck(run)) run.commands.push({ type: "rest" });
	} catch (error) {
		failRun(run, toRunError(error, "internal_error"));
	}
}

/** Nothing is out that something waits for. */
function isStuck({ result, isReady, out, retrieving }: RunState): boolean {
	if (result !== undefined || !isReady || out > 0) return false;
	return !retrieving.some(({ entry }) => entry.waiting.some(({ closed }) => !closed));
}

/** A stream that never pauses would not let a timer fire. */
const isOverdue = (run: RunState): boolean => elapsed(run) >= run.limits.timeoutMs;

function receive(run: RunState, signal: Signal): void {
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
		case "told":
			return onRemoteText(run, signal.command, signal.text);
		case "untold":
			return onRemoteReset(run, signal.command);
		case "outcome":
			return onRemoteOutcome(run, signal.command, signal.outcome);
		case "timeout":
			return failRun(run, timeoutError(run));
		case "cancel":
			return cancelRun(run);
		case "begin":
			return begin(run);
		case "resume":
			emit(run, { type: "run.resumed" });
			run.commands.push({ type: "resolve" });
			return;
		case "decide":
			return run.isReady ? applyDecisions(run) : undefined;
		case "rest":
			return rest(run);
		case "refused":
			return failRun(run, signal.error);
		case "resolved":
			return start(run, signal);
	}
}

/** Nothing but approvals is left to wait for. */
function rest(run: RunState): void {
	if (run.approvals.length > 0 && isStuck(run) && !denyExpired(run)) pauseRun(run);
}

/** A stream may break after its reply was whole; that reply stands. */
function onModelFailed(
	run: RunState,
	command: ModelCommand,
	{ error, spent }: Extract<Signal, { type: "failed" }>,
): void {
	if (!run.calls.has(command)) return;
	settleModelCall(run, command, spent);
	fail(run, command.invocation, error);
}

function begin(run: RunState): void {
	const { graph, context } = run;
	emit(run, { type: "run.started", ...(graph.name === undefined ? {} : { agent: graph.name }) });
	const problem = findContextProblem(graph, context);
	if (problem === undefined) run.commands.push({ type: "resolve" });
	else failRun(run, problem);
}

function start(run: RunState, { models, tools }: Extract<Signal, { type: "resolved" }>): void {
	run.models = models.map((resolved) => resolved && { model: resolved.model, account: toAccount(resolved) });
	run.tools = tools;
	if (run.graph.toolCallers.length > 0) run.offers = describeOffers(run.graph, tools);
	run.systems = fillSystems(run);
	run.isReady = true;
	if (run.invocations > 0) continueRun(run);
	else run.tasks.push({ do: "start", invocation: createRoot(run) });
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
		if (task.do === "start") startInvocation(run, task.invocation);
		else if (task.do === "turn") startTurn(run, task.invocation);
		else if (task.do === "continue") startContinuations(run, task.invocation);
		else settle(run, task.invocation);
	}
	run.tasks.length = 0;
}
