import type { ChatReply, Json, RunError } from "@stemma/core";
import { parseJson } from "@stemma/core/internal";
import { flushAnswer, onText, retractAnswer } from "../answer/answer-text";
import type { PortCallOptions, SchemaValidator } from "../io/ports";
import { toRunError } from "../io/to-run-error";
import type { CheckedOutput, ModelCommand } from "../run/command";
import { emitNodeEvent } from "../run/emit";
import { recordModelCall } from "../run/receipt";
import type { RunState } from "../run/run-state";
import { fail } from "./create-invocation";
import { addMessage, type Invocation } from "./invocation";
import { startCalls } from "./tool-calls";

/** Checks the output that a reply is, where the node has a schema for it. Changes nothing. */
export function checkOutput(
	{ invocation, mayCall }: ModelCommand,
	{ text, toolCalls, finishReason }: ChatReply,
	validate: SchemaValidator,
	options: PortCallOptions,
): CheckedOutput | Promise<CheckedOutput> | undefined {
	const schema = invocation.node.modelSettings?.node.output;
	const isOutput = finishReason !== "filtered" && (toolCalls.length === 0 || !mayCall);
	if (schema === undefined || !isOutput) return undefined;
	const value = parseOutput(text);
	if (value === undefined) return { value, validation: NOT_JSON };
	try {
		const validation = validate(schema, value, options);
		if (!(validation instanceof Promise)) return { value, validation };
		return validation.then((validation) => ({ value, validation }), toValidationError);
	} catch (error) {
		return toValidationError(error);
	}
}

const toValidationError = (error: unknown): CheckedOutput => ({
	error: toRunError(error, "output_not_checked"),
});

/** The end of a turn: calls, or the node's own text. */
export function onReply(
	run: RunState,
	command: ModelCommand,
	reply: ChatReply,
	output: CheckedOutput | undefined,
): void {
	const { invocation, mayCall } = command;
	if (command.received === 0 && reply.text !== "") onText(run, command, reply.text);
	recordModelCall(run, command, reply);
	if (invocation.closed) return;
	if (reply.finishReason === "filtered") {
		retractAnswer(run, invocation);
		return fail(run, invocation, contentFiltered(invocation));
	}
	if (reply.toolCalls.length > 0 && mayCall) {
		retractAnswer(run, invocation);
		return startCalls(run, invocation, reply);
	}
	skipCalls(run, invocation, reply);
	if (reply.text === "" && reply.toolCalls.length > 0 && !invocation.repaired)
		return fail(run, invocation, maxTurnsReached(invocation));
	flushAnswer(run, invocation);
	finishText(run, invocation, reply, output);
}

function skipCalls(run: RunState, invocation: Invocation, { toolCalls }: ChatReply): void {
	for (const { id, name } of toolCalls)
		emitNodeEvent(run, invocation, {
			type: "tool.skipped",
			callee: name,
			call_id: id,
			reason: "Calls were not offered in this turn.",
		});
}

function finishText(
	run: RunState,
	invocation: Invocation,
	reply: ChatReply,
	output: CheckedOutput | undefined,
): void {
	const isTruncated = reply.finishReason === "length";
	if (output === undefined) return complete(run, invocation, reply.text, isTruncated);
	if ("error" in output) return fail(run, invocation, output.error);
	const { value, validation } = output;
	if (validation.valid) return complete(run, invocation, value ?? null, isTruncated);
	if (invocation.repaired) return fail(run, invocation, outputInvalid(invocation, validation.errors));
	invocation.repaired = true;
	addMessage(invocation, { role: "assistant", content: reply.text });
	addMessage(invocation, { role: "user", content: askForRepair(validation.errors) });
	run.tasks.push({ type: "turn", invocation });
}

const askForRepair = (errors: readonly string[]): string =>
	`That is not the JSON that was asked for: ${errors.join(" ")} Reply with the corrected JSON alone.`;

function complete(run: RunState, invocation: Invocation, value: Json, truncated: boolean): void {
	invocation.value = value;
	invocation.truncated = truncated;
	run.tasks.push({ type: "continue", invocation });
}

const NOT_JSON = { valid: false, errors: ["It is not JSON."] } as const;

/** Models like to wrap JSON in a code fence, with a sentence before it. */
function parseOutput(text: string): Json | undefined {
	const whole = parseJson(text);
	const opening = whole === undefined ? FENCE_START.exec(text) : null;
	if (opening === null) return whole;
	const inner = text.slice(opening.index + opening[0].length);
	// The first end behind the first opening: a search for both at once would look for the end behind every opening.
	const end = inner.search(FENCE_END);
	return end === -1 ? undefined : parseJson(inner.slice(0, end));
}
const FENCE_START = /```(?:json)?[\t ]*\n/;
const FENCE_END = /\n[\t ]*```/;

const contentFiltered = ({ node }: Invocation): RunError => ({
	code: "content_filtered",
	message: `The vendor withheld the reply of "${node.id}".`,
	hint: "Rephrase the input, or use a model with other filters.",
});

const maxTurnsReached = ({ node, turns }: Invocation): RunError => ({
	code: "max_turns",
	message: `"${node.id}" used up its ${turns} model turns on calls and gave no text.`,
	hint: "Raise maxTurns of the node, or tell it in its instructions when to stop.",
});

const outputInvalid = ({ node }: Invocation, errors: readonly string[]): RunError => ({
	code: "output_invalid",
	message: `The output of "${node.id}" does not fit its schema, also after one repair: ${errors.join(" ")}`,
	hint: "Simplify the schema, describe it in the instructions, or use a model that keeps to schemas.",
});
