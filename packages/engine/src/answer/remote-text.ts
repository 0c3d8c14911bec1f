import type { Json, RunError } from "@stemma/core";
import type { CheckedOutcome } from "../io/agent-outcome";
import { MAX_OUTPUT_CHARACTERS } from "../io/port-output";
import type { RetrievedPassage } from "../io/ports";
import { fail } from "../nodes/create-invocation";
import { type Invocation, streamsAnswer } from "../nodes/invocation";
import type { RemoteCommand } from "../run/command";
import { emitText } from "../run/emit";
import type { RunState } from "../run/run-state";
import { citeText, emitAnswer, retractAnswer } from "./answer-text";
import { renumberMarks } from "./citation-reducer";
import { createCitationState } from "./citation-state";
import { numberRemotePassage } from "./remote-passages";

// The text of another agent comes with numbers of its own, and what they stand for only comes with the outcome.
//
// Where its text is the answer, nobody else adds to that answer: its own numbers are the answer's, and the text goes
// through as it comes. An agent that numbers from 1 by first appearance, as this engine does, is never corrected; of any
// other the text so far is taken back with the outcome and sent again as it should have been.
//
// Anywhere else the numbers of the run count. The text goes through up to its first bracket, and waits there for the
// outcome. A number without a passage becomes `[node:1]`, in which no model and no reducer sees a passage of this run.

/** Text as it comes. */
export function onRemoteText(run: RunState, command: RemoteCommand, text: string): void {
	const { invocation } = command;
	if (!run.pendingCalls.has(command) || invocation.closed) return;
	command.received += text.length;
	if (command.received > MAX_OUTPUT_CHARACTERS) return fail(run, invocation, textTooLong(invocation));
	if (!streamsAnswer(invocation)) return emitUpToMark(run, command, text);
	run.answer.text += text;
	emitAnswer(run, invocation, text);
}

const textTooLong = ({ node }: Invocation): RunError => ({
	code: "remote_result_too_large",
	message: `The remote agent "${node.id}" was stopped: its text has more than ${MAX_OUTPUT_CHARACTERS.toLocaleString("en")} characters, the maximum.`,
	hint: "Change the remote agent so that it returns less: a part, a page or a summary.",
});

function emitUpToMark(run: RunState, command: RemoteCommand, text: string): void {
	if (command.isHeld) return;
	const bracket = text.indexOf("[");
	command.isHeld = bracket !== -1;
	emitInnerText(run, command, command.isHeld ? text.slice(0, bracket) : text);
}

function emitInnerText(run: RunState, command: RemoteCommand, text: string): void {
	if (text === "") return;
	command.sent += text;
	emitText(run, command.invocation, text, false);
}

/** The text so far is not the answer after all. */
export function onRemoteReset(run: RunState, command: RemoteCommand): void {
	if (!run.pendingCalls.has(command) || command.invocation.closed) return;
	command.received = 0;
	command.sent = "";
	command.isHeld = false;
	retractAnswer(run, command.invocation);
}

/** Sends what of the text was not sent yet, and gives the node's value, with run-wide numbers. */
export function toRemoteValue(
	run: RunState,
	command: RemoteCommand,
	{ output, passages }: CheckedOutcome,
): Json {
	const { invocation } = command;
	if (streamsAnswer(invocation)) return toFinalOutput(run, invocation, output, passages);
	const value = renumberForRun(run, invocation, output, passages);
	if (typeof value === "string" && value.startsWith(command.sent))
		emitInnerText(run, command, value.slice(command.sent.length));
	return value;
}

function toFinalOutput(
	run: RunState,
	invocation: Invocation,
	output: Json,
	passages: readonly RetrievedPassage[],
): Json {
	if (typeof output !== "string") {
		retractAnswer(run, invocation);
		return renumberForRun(run, invocation, output, passages);
	}
	const answer = createCitationState();
	const text = citeText(answer, passages, output);
	if (!text.startsWith(run.answer.text)) retractAnswer(run, invocation);
	const rest = text.slice(run.answer.text.length);
	run.answer = answer;
	emitAnswer(run, invocation, rest);
	return passages.length === 0 ? text : renumberForRun(run, invocation, text, answer.citations);
}

/** Every text in the output with run-wide numbers. Output that cites nothing is data, as that of tools. */
function renumberForRun(
	run: RunState,
	invocation: Invocation,
	output: Json,
	passages: readonly RetrievedPassage[],
): Json {
	const { id } = invocation.node;
	const renumber = (text: string): string =>
		renumberMarks(
			text,
			(own) => {
				const passage = passages[own - 1];
				return passage && `[${numberRemotePassage(run, id, passage)}]`;
			},
			(own) => `[${id}:${own}]`,
		);
	const isData = typeof output !== "string" && passages.length === 0;
	return isData ? output : mapTexts(output, renumber);
}

function mapTexts(value: Json, map: (text: string) => string): Json {
	if (typeof value === "string") return map(value);
	if (typeof value !== "object" || value === null) return value;
	if (Array.isArray(value)) return value.map((element: Json) => mapTexts(element, map));
	return Object.fromEntries(Object.entries(value).map(([key, element]) => [key, mapTexts(element, map)]));
}
