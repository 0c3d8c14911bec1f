import type { ModelCommand } from "./command";
import { emitOf } from "./emit";
import { type Invocation, streamsAnswer } from "./invocation";
import { createAnswer, type RunState } from "./run-state";

export function onText(run: RunState, command: ModelCommand, text: string): void {
	const { invocation } = command;
	command.received += text.length;
	if (invocation.closed) return;
	if (!streamsAnswer(invocation)) return emitOf(run, invocation, { type: "text.delta", text, final: false });
	sendAnswer(run, invocation, run.answer.push(text));
}

export function onReasoning(run: RunState, { invocation }: ModelCommand, text: string): void {
	if (!invocation.closed) emitOf(run, invocation, { type: "reasoning.delta", text });
}

function sendAnswer(run: RunState, invocation: Invocation, text: string): void {
	if (text !== "") emitOf(run, invocation, { type: "text.delta", text, final: true });
}

/** Text before a call was not the answer after all. */
export function takeBackAnswer(run: RunState, invocation: Invocation): void {
	if (!streamsAnswer(invocation) || run.answer.isUntouched) return;
	if (run.answer.text !== "") emitOf(run, invocation, { type: "text.reset" });
	run.answer = createAnswer(run);
}

/** Sends what was held back, at the end of the text. */
export function endAnswer(run: RunState, invocation: Invocation): void {
	if (streamsAnswer(invocation)) sendAnswer(run, invocation, run.answer.flush());
}
