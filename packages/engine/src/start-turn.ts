import type { RunError } from "@stemma/core";
import { planCall } from "./call-queue";
import type { CallAccount } from "./command";
import { failRun } from "./end-run";
import type { Invocation } from "./invocation";
import { takeStep, tokenError } from "./limits";
import type { ResolvedModel } from "./ports";
import { estimateInput } from "./receipt";
import { elapsed, type RunState } from "./run-state";

/** Output tokens set aside for a call whose node names no `maxOutputTokens`, where the run has a token limit. */
const RESERVED_OUTPUT_TOKENS = 4096;

/** Asks the model of a node for its next turn. */
export function startTurn(run: RunState, invocation: Invocation): void {
	const { turns } = invocation.node;
	const model = run.models[invocation.node.index];
	if (invocation.closed || turns === undefined || model === undefined) return;
	const estimatedInput = estimateInput(run, invocation);
	const budget = reserveTokens(run, turns.node.model?.maxOutputTokens, estimatedInput);
	if ("refusal" in budget) return failRun(run, budget.refusal);
	const limit = takeStep(run);
	if (limit !== undefined) return failRun(run, limit);
	invocation.turns += 1;
	invocation.steps += 1;
	run.reservedTokens += budget.reserved;
	planCall(run, {
		type: "model",
		invocation,
		isOut: false,
		row: run.receipt.push(undefined) - 1,
		account: model.account,
		startedAt: elapsed(run),
		mayCall: invocation.node.callees.size > 0 && invocation.turns < turns.maxTurns && !invocation.repaired,
		maxOutputTokens: budget.maxOutputTokens,
		reserved: budget.reserved,
		estimatedInput,
		received: 0,
	});
}

/** What the receipt says of whoever answers. */
export const toAccount = ({ model, payer, reason }: ResolvedModel): CallAccount => ({
	payer,
	provider: model.provider,
	vendor_host: model.vendorHost,
	model: model.model,
	reason,
});

type TokenBudget =
	| { readonly maxOutputTokens: number | undefined; readonly reserved: number }
	| { readonly refusal: RunError };

/** Sets tokens aside before the call, so that calls that run at once cannot cross the limit together. */
function reserveTokens(run: RunState, maxOutputTokens: number | undefined, input: number): TokenBudget {
	if (run.limits.maxTokens === Number.POSITIVE_INFINITY) return { maxOutputTokens, reserved: 0 };
	const left = run.limits.maxTokens - run.inputTokens - run.outputTokens - run.reservedTokens;
	const output = Math.min(maxOutputTokens ?? RESERVED_OUTPUT_TOKENS, left - input);
	const needed = input + (maxOutputTokens ?? 1);
	if (needed > left) return { refusal: tokenError(run, needed) };
	return { maxOutputTokens: output, reserved: input + output };
}
