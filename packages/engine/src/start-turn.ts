import type { ChatRequest, RunError } from "@stemma/core";
import type { ModelCommand } from "./command";
import type { TurnSettings } from "./compiled-graph";
import { failRun } from "./end-run";
import type { Invocation } from "./invocation";
import { takeStep, tokenError } from "./limits";
import { estimateInput, listOffered } from "./receipt";
import type { RunState } from "./run-state";

/** Output tokens set aside for a call whose node names no `maxOutputTokens`, where the run has a token limit. */
const RESERVED_OUTPUT_TOKENS = 4096;

/** Asks the model of a node for its next turn. */
export function startTurn(run: RunState, invocation: Invocation): void {
	const { turns } = invocation.node;
	const model = run.models.get(invocation.node.id);
	if (invocation.closed || turns === undefined || model === undefined) return;
	const estimatedInput = estimateInput(run, invocation);
	const budget = reserveTokens(run, toRequest(run, invocation, turns), estimatedInput);
	if ("refusal" in budget) return failRun(run, budget.refusal);
	const limit = takeStep(run);
	if (limit !== undefined) return failRun(run, limit);
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
		estimatedInput,
		received: 0,
	};
	run.reservedTokens += budget.reserved;
	run.modelCalls.add(command);
	run.commands.push(command);
}

function toRequest(run: RunState, invocation: Invocation, { node, maxTurns }: TurnSettings): ChatRequest {
	const { messages, depth, mode } = invocation;
	const tools = listOffered(run, invocation.node);
	const system = run.systems.get(invocation.node.id);
	const isLast = invocation.turns + 1 >= maxTurns || invocation.repaired;
	return {
		...(system === undefined ? {} : { system }),
		messages,
		...(tools.length === 0 ? {} : { tools, toolChoice: isLast ? "none" : "auto" }),
		...(node.output === undefined ? {} : { outputSchema: node.output }),
		...(node.model?.temperature === undefined ? {} : { temperature: node.model.temperature }),
		...(node.model?.maxOutputTokens === undefined ? {} : { maxOutputTokens: node.model.maxOutputTokens }),
		origin: { runId: run.runId, node: node.id, depth, mode },
	};
}

type TokenBudget =
	| { readonly request: ChatRequest; readonly reserved: number }
	| { readonly refusal: RunError };

/** Sets tokens aside before the call, so that calls that run at once cannot cross the limit together. */
function reserveTokens(run: RunState, request: ChatRequest, input: number): TokenBudget {
	if (run.limits.maxTokens === Number.POSITIVE_INFINITY) return { request, reserved: 0 };
	const left = run.limits.maxTokens - run.inputTokens - run.outputTokens - run.reservedTokens;
	const output = Math.min(request.maxOutputTokens ?? RESERVED_OUTPUT_TOKENS, left - input);
	const needed = input + (request.maxOutputTokens ?? 1);
	if (needed > left) return { refusal: tokenError(run, needed) };
	return { request: { ...request, maxOutputTokens: output }, reserved: input + output };
}
