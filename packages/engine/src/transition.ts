import type { Json } from "@stemma/core";
import { onReasoning, onText } from "./answer-text";
import type { Signal } from "./command";
import { startContinuations } from "./continuation";
import { emit } from "./emit";
import { endRun } from "./end-run";
import { onReply } from "./end-turn";
import { createInvocation, fail, type Invocation } from "./invocation";
import { timeoutError } from "./limits";
import type { SchemaValidator } from "./ports";
import { findContextProblem } from "./prepare-run";
import { settleModelCall } from "./receipt";
import { onPassages, onRetrievalFailed } from "./retrieval";
import type { RunState } from "./run-state";
import { settle } from "./settle";
import { startInvocation } from "./start-invocation";
import { startTurn } from "./start-turn";

/**
 * The one place where a run changes: what the world said goes in, events and commands come out (in `run.events` and
 * `run.commands`). No I/O, no clock, no chance: the same signals in the same order give the same run.
 */
export function transition(run: RunState, signal: Signal, validate: SchemaValidator): void {
	if (run.result !== undefined) return;
	receive(run, signal, validate);
	runTasks(run);
}

function receive(run: RunState, signal: Signal, validate: SchemaValidator): void {
	switch (signal.type) {
		case "text":
			return onText(run, signal.command, signal.text);
		case "reasoning":
			return onReasoning(run, signal.command, signal.text);
		case "reply":
			return onReply(run, signal.command, signal.reply, validate);
		case "passages":
			return onPassages(run, signal.command.entry, signal.retrieval);
		case "failed":
			if (signal.command.type === "retrieve")
				return onRetrievalFailed(run, signal.command.entry, signal.error);
			settleModelCall(run, signal.command, undefined);
			return fail(run, signal.command.invocation, signal.error);
		case "timeout":
			return endRun(run, "failed", timeoutError(run));
		case "cancel":
			return endRun(run, "cancelled");
		case "refused":
			return endRun(run, "failed", signal.error);
		case "begin":
			return begin(run);
		case "start":
			run.tasks.push({ do: "start", invocation: createRoot(run, signal.input) });
	}
}

function begin(run: RunState): void {
	const { graph, context } = run;
	emit(run, { type: "run.started", ...(graph.name === undefined ? {} : { agent: graph.name }) });
	const problem = findContextProblem(graph, context);
	if (problem !== undefined) endRun(run, "failed", problem);
}

function createRoot(run: RunState, input: Json): Invocation {
	return createInvocation(run, {
		node: run.graph.coordinator,
		mode: "start",
		parent: undefined,
		slot: 0,
		depth: 0,
		input,
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
