import type { Json } from "@stemma/core";
import { type CitationState, createCitationState, endCitations, reduceCitations } from "./citation-reducer";
import type { ModelCommand } from "./command";
import { emitOf } from "./emit";
import { type Invocation, streamsAnswer } from "./invocation";
import type { RetrievedPassage } from "./ports";
import type { RunState } from "./run-state";

export function onText(run: RunState, command: ModelCommand, text: string): void {
	const { invocation } = command;
	command.received += text.length;
	if (invocation.closed || text === "") return;
	if (!streamsAnswer(invocation)) return emitOf(run, invocation, { type: "text.delta", text, final: false });
	sendAnswer(run, invocation, reduceCitations(run.answer, run.passages, text));
}

export function onReasoning(run: RunState, command: ModelCommand, text: string): void {
	command.received += text.length;
	if (!command.invocation.closed) emitOf(run, command.invocation, { type: "reasoning.delta", text });
}

/** Sends a piece of the answer as it is. */
export function sendAnswer(run: RunState, invocation: Invocation, text: string): void {
	if (text !== "") emitOf(run, invocation, { type: "text.delta", text, final: true });
}

/** Text that was streamed was not the answer after all. */
export function takeBackAnswer(run: RunState, invocation: Invocation): void {
	const { text, held } = run.answer;
	if (!streamsAnswer(invocation) || (text === "" && held === "")) return;
	if (text !== "") emitOf(run, invocation, { type: "text.reset" });
	run.answer = createCitationState();
}

/** Sends what was held back, at the end of the text. */
export function endAnswer(run: RunState, invocation: Invocation): void {
	if (streamsAnswer(invocation)) sendAnswer(run, invocation, endCitations(run.answer, run.passages));
}

/** The run's output, of the coordinator's value: text that was not streamed is sent now; of JSON, every string is read. */
export function finishAnswer(run: RunState, root: Invocation): Json {
	if (typeof root.value !== "string") {
		run.answer = createCitationState();
		return citeLeaves(run, run.answer, root.value);
	}
	if (run.answer.text === "") sendAnswer(run, root, citeText(run.answer, run.passages, root.value));
	return run.answer.text;
}

/** A whole text, or one of several that one answer is made of. */
export function citeText(answer: CitationState, passages: readonly RetrievedPassage[], text: string): string {
	return reduceCitations(answer, passages, text) + endCitations(answer, passages);
}

function citeLeaves(run: RunState, answer: CitationState, value: Json): Json {
	if (typeof value === "string") {
		// A leaf is a text of its own, and so is its last sentence.
		answer.tail = "";
		return citeText(answer, run.passages, value);
	}
	// What was retrieved is the text of others, with brackets of their own.
	if (typeof value !== "object" || value === null || run.retrieved.has(value)) return value;
	if (Array.isArray(value)) return value.map((element: Json) => citeLeaves(run, answer, element));
	return Object.fromEntries(
		Object.entries(value).map(([key, element]) => [key, citeLeaves(run, answer, element)]),
	);
}
