import type { ChatReply, ChatRequest, Json, RunError } from "@stemma/core";
import { startCalls } from "./calls";
import type { TurnSettings } from "./compiled-graph";
import { emitOf } from "./emit";
import { endRun } from "./end-run";
import { takeStep, tokenError } from "./limits";
import type { SchemaValidator } from "./ports";
import { estimateRequest, settleModelCall } from "./receipt";
import {
	createAnswer,
	fail,
	type Invocation,
	type ModelCommand,
	type RunState,
	streamsAnswer,
} from "./run-state";

/** Output tokens set aside for a call whose node names no `maxOutputTokens`, where the run has a token limit. */
const RESERVED_OUTPUT_TOKENS = 4096;

/** Asks the model of a node for its next turn. */
export function startTurn(run: RunState, invocation: Invocation): void {
	const { turns } = invocation.node;
	const model = run.models.get(invocation.node);
	if (invocation.closed || turns === undefined || model === undefined) return;
	const budget = reserveTokens(run, toRequest(run, invocation, turns));
	if ("refusal" in budget) return endRun(run, "failed", budget.refusal);
	const limit = takeStep(run);
	if (limit !== undefined) return endRun(run, "failed", limit);
	invocation.turns += 1;
	invocation.steps += 1;
	const command: ModelCommand = {
		type: "model",
		invocation,
		model,
		request: budget.request,
		row: run.receipt.push(undefined) - 1,
		startedAt: run.now,
		reserved: budget.reserved,
		received: 0,
	};
	run.reservedTokens += budget.reserved;
	run.modelCalls.add(command);
	run.commands.push(command);
}

function toRequest(run: RunState, invocation: Invocation, { node, maxTurns }: TurnSettings): ChatRequest {
	const { messages, depth } = invocation;
	const { tools } = invocation.node;
	const system = run.systems.get(invocation.node);
	const isLast = invocation.turns + 1 >= maxTurns || invocation.repaired;
	return {
		...(system === undefined ? {} : { system }),
		messages: messages.slice(),
		...(tools.length === 0 ? {} : { tools, toolChoice: isLast ? "none" : "auto" }),
		...(node.output === undefined ? {} : { outputSchema: node.output }),
		...(node.model?.temperature === undefined ? {} : { temperature: node.model.temperature }),
		...(node.model?.maxOutputTokens === undefined ? {} : { maxOutputTokens: node.model.maxOutputTokens }),
		origin: { runId: run.runId, node: node.id, depth },
	};
}

type TokenBudget =
	| { readonly request: ChatRequest; readonly reserved: number }
	| { readonly refusal: RunError };

/** Sets tokens aside before the call, so that calls that run at once cannot cross the limit together. */
function reserveTokens(run: RunState, request: ChatRequest): TokenBudget {
	if (run.limits.maxTokens === Number.POSITIVE_INFINITY) return { request, reserved: 0 };
	const input = estimateRequest(request);
	const left = run.limits.maxTokens - run.inputTokens - run.outputTokens - run.reservedTokens;
	const output = Math.min(request.maxOutputTokens ?? RESERVED_OUTPUT_TOKENS, left - input);
	const needed = input + (request.maxOutputTokens ?? 1);
	if (needed > left) return { refusal: tokenError(run, needed) };
	return { request: { ...request, maxOutputTokens: output }, reserved: input + output };
}

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

/** The end of a turn: calls, or the node's own text. */
export function onReply(
	run: RunState,
	command: ModelCommand,
	reply: ChatReply,
	validate: SchemaValidator,
): void {
	const { invocation, request } = command;
	if (command.received === 0 && reply.text !== "") onText(run, command, reply.text);
	settleModelCall(run, command, reply);
	if (invocation.closed) return;
	if (reply.finishReason === "filtered") return fail(run, invocation, contentFiltered(invocation));
	if (reply.toolCalls.length > 0 && request.toolChoice === "auto") {
		takeBackAnswer(run, invocation);
		return startCalls(run, invocation, reply);
	}
	skipCalls(run, invocation, reply);
	if (reply.text === "" && reply.toolCalls.length > 0) return fail(run, invocation, turnsUsedUp(invocation));
	if (streamsAnswer(invocation)) sendAnswer(run, invocation, run.answer.flush());
	finishText(run, invocation, reply, validate);
}

/** Text before a call was not the answer after all. */
function takeBackAnswer(run: RunState, invocation: Invocation): void {
	if (!streamsAnswer(invocation)) return;
	if (run.answer.text !== "") emitOf(run, invocation, { type: "text.reset" });
	run.answer = createAnswer(run);
}

function skipCalls(run: RunState, invocation: Invocation, { toolCalls }: ChatReply): void {
	for (const { id, name } of toolCalls)
		emitOf(run, invocation, {
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
	validate: SchemaValidator,
): void {
	const schema = invocation.node.turns?.node.output;
	if (schema === undefined) return complete(run, invocation, reply.text, reply.finishReason === "length");
	const parsed = parseOutput(reply.text);
	const verdict = parsed === undefined ? NOT_JSON : validate(schema, parsed);
	if (verdict.valid) return complete(run, invocation, parsed ?? null, false);
	if (invocation.repaired) return fail(run, invocation, outputInvalid(invocation, verdict.errors));
	invocation.repaired = true;
	invocation.messages.push(
		{ role: "assistant", content: reply.text },
		{
			role: "user",
			content: `That is not the JSON that was asked for: ${verdict.errors.join(" ")} Reply with the corrected JSON alone.`,
		},
	);
	run.tasks.push({ do: "turn", invocation });
}

function complete(run: RunState, invocation: Invocation, value: Json, truncated: boolean): void {
	invocation.value = value;
	invocation.truncated = truncated;
	run.tasks.push({ do: "continue", invocation });
}

const NOT_JSON = { valid: false, errors: ["It is not JSON."] } as const;

/** Models like to wrap JSON in a code fence. */
function parseOutput(text: string): Json | undefined {
	const [, fenced = text] = /^\s*```(?:json)?\s*\n([\s\S]*?)\n\s*```\s*$/.exec(text) ?? [];
	try {
		// What JSON.parse gives is JSON.
		return JSON.parse(fenced) as Json;
	} catch {
		return undefined;
	}
}

const contentFiltered = ({ node }: Invocation): RunError => ({
	code: "content_filtered",
	message: `The vendor withheld the reply of "${node.id}".`,
	hint: "Rephrase the input, or use a model with other filters.",
});

const turnsUsedUp = ({ node, turns }: Invocation): RunError => ({
	code: "max_turns",
	message: `"${node.id}" used up its ${turns} model turns on calls and gave no text.`,
	hint: "Raise maxTurns of the node, or tell it in its instructions when to stop.",
});

const outputInvalid = ({ node }: Invocation, errors: readonly string[]): RunError => ({
	code: "output_invalid",
	message: `The output of "${node.id}" does not fit its schema, also after one repair: ${errors.join(" ")}`,
	hint: "Simplify the schema, describe it in the instructions, or use a model that keeps to schemas.",
});
