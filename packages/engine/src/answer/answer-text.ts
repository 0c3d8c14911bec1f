import type { Json } from "@stemma/core";
import type { RetrievedPassage } from "../io/ports";
import { type Invocation, streamsAnswer, type VerbatimText } from "../nodes/invocation";
import type { ModelCommand } from "../run/command";
import { emitNodeEvent, emitText } from "../run/emit";
import type { RunState } from "../run/run-state";
import { flushCitations, reduceCitations } from "./citation-reducer";
import { type CitationState, createCitationState } from "./citation-state";

/** Handles text of a model: emits it, as part of the answer where the node's text is the answer. */
export function onText(run: RunState, command: ModelCommand, text: string): void {
	const { invocation } = command;
	command.received += text.length;
	if (invocation.closed || text === "") return;
	if (!streamsAnswer(invocation)) return emitText(run, invocation, text, false);
	emitAnswer(run, invocation, reduceCitations(run.answer, run.passages, text));
}

export function onReasoning(run: RunState, command: ModelCommand, text: string): void {
	command.received += text.length;
	if (!command.invocation.closed) emitNodeEvent(run, command.invocation, { type: "reasoning.delta", text });
}

/** Sends a piece of the answer as it is. */
export function emitAnswer(run: RunState, invocation: Invocation, text: string): void {
	if (text !== "") emitText(run, invocation, text, true);
}

/** Text that was streamed was not the answer after all. */
export function retractAnswer(run: RunState, invocation: Invocation): void {
	const { text, held } = run.answer;
	if (!streamsAnswer(invocation) || (text === "" && held === "")) return;
	if (text !== "") emitNodeEvent(run, invocation, { type: "text.reset" });
	run.answer = createCitationState();
}

/** Withdraws text that was sent after the run was saved, and what was sent before it: the call is made again, or given up. */
export function withdrawAnswer(run: RunState): void {
	const speaker = [...run.pendingCalls].find(({ invocation }) => streamsAnswer(invocation));
	const [root] = run.openInvocations;
	const invocation = speaker?.invocation ?? root;
	if (invocation !== undefined) emitNodeEvent(run, invocation, { type: "text.reset" });
	run.answer = createCitationState();
}

/** Sends what was held back, at the end of the text. */
export function flushAnswer(run: RunState, invocation: Invocation): void {
	if (streamsAnswer(invocation)) emitAnswer(run, invocation, flushCitations(run.answer, run.passages));
}

/**
 * Makes the run's output from the coordinator's value. Text that was not streamed is sent now. In JSON, every string is
 * read.
 */
export function finishAnswer(run: RunState, root: Invocation): Json {
	const { value, verbatim } = root;
	if (typeof value === "string" && run.answer.text !== "") return run.answer.text;
	run.answer = createCitationState();
	const output = citeValue(run, value, verbatim);
	if (typeof output === "string") emitAnswer(run, root, output);
	return output;
}

/** A whole text, or one of several that one answer is made of. */
export function citeText(answer: CitationState, passages: readonly RetrievedPassage[], text: string): string {
	return reduceCitations(answer, passages, text) + flushCitations(answer, passages);
}

/** Every text in a value; those of others stay as they are, with brackets of their own. */
function citeValue(run: RunState, value: Json, verbatim: VerbatimText): Json {
	if (verbatim === true) return value;
	if (typeof value === "string") return citeText(run.answer, run.passages, value);
	if (typeof value !== "object" || value === null) return value;
	if (Array.isArray(value)) return value.map((element: Json) => citeValue(run, element, false));
	const verbatimOf = (key: string): VerbatimText => (verbatim === false ? false : (verbatim[key] ?? false));
	return Object.fromEntries(
		Object.entries(value).map(([key, element]) => [key, citeValue(run, element, verbatimOf(key))]),
	);
}
