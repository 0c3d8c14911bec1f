import type { Json, RunError } from "@stemma/core";
import type { CheckedOutcome } from "./agent-outcome";
import { citeText, sendAnswer, takeBackAnswer } from "./answer-text";
import { createCitationState, renumberMarks } from "./citation-reducer";
import type { RemoteCommand } from "./command";
import { emitOf } from "./emit";
import { fail, type Invocation, streamsAnswer } from "./invocation";
import { MOST_OUTPUT_CHARACTERS } from "./port-output";
import type { RetrievedPassage } from "./ports";
import { numberForeign } from "./remote-passages";
import type { RunState } from "./run-state";

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
	if (!run.calls.has(command) || invocation.closed) return;
	command.received += text.length;
	if (command.received > MOST_OUTPUT_CHARACTERS) return fail(run, invocation, toldTooMuch(invocation));
	if (!streamsAnswer(invocation)) return sendUpToMark(run, command, text);
	run.answer.text += text;
	sendAnswer(run, invocation, text);
}

const toldTooMuch = ({ node }: Invocation): RunError => ({
	code: "remote_result_too_large",
	message: `The remote agent "${node.id}" was stopped: its text has more than the ${MOST_OUTPUT_CHARACTERS.toLocaleString("en")} characters that are taken.`,
	hint: "The agent has to give less: a part, a page or a summary.",
});

function sendUpToMark(run: RunState, command: RemoteCommand, text: string): void {
	if (command.isHeld) return;
	const bracket = text.indexOf("[");
	command.isHeld = bracket !== -1;
	sendInner(run, command, command.isHeld ? text.slice(0, bracket) : text);
}

function sendInner(run: RunState, command: RemoteCommand, text: string): void {
	if (text === "") return;
	command.sent += text;
	emitOf(run, command.invocation, { type: "text.delta", text, final: false });
}

/** The text so far is not the answer after all. */
export function onRemoteReset(run: RunState, command: RemoteCommand): void {
	if (!run.calls.has(command) || command.invocation.closed) return;
	command.received = 0;
	command.sent = "";
	command.isHeld = false;
	takeBackAnswer(run, command.invocation);
}

/** Sends what of the text was not sent yet, and gives the node's value, with run-wide numbers. */
export function readRemoteAnswer(
	run: RunState,
	command: RemoteCommand,
	{ output, passages }: CheckedOutcome,
): Json {
	const { invocation } = command;
	if (streamsAnswer(invocation)) return readFinal(run, invocation, output, passages);
	const value = toRunWide(run, invocation, output, passages);
	if (typeof value === "string" && value.startsWith(command.sent))
		sendInner(run, command, value.slice(command.sent.length));
	return value;
}

function readFinal(
	run: RunState,
	invocation: Invocation,
	output: Json,
	passages: readonly RetrievedPassage[],
): Json {
	if (typeof output !== "string") {
		takeBackAnswer(run, invocation);
		return toRunWide(run, invocation, output, passages);
	}
	const answer = createCitationState();
	const text = citeText(answer, passages, output);
	if (!text.startsWith(run.answer.text)) takeBackAnswer(run, invocation);
	const rest = text.slice(run.answer.text.length);
	run.answer = answer;
	sendAnswer(run, invocation, rest);
	return passages.length === 0 ? text : toRunWide(run, invocation, text, answer.citations);
}

/** Every text in the output with run-wide numbers. Output that cites nothing is data, as that of tools. */
function toRunWide(
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
				return passage && `[${numberForeign(run, id, passage)}]`;
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
