import type { RunError } from "@stemma/core";
import type { ResolvedModel } from "../io/ports";
import { enqueueCall } from "../run/call-queue";
import type { CallAccount } from "../run/command";
import { failRun } from "../run/end-run";
import { consumeStep, tokenError } from "../run/limits";
import { estimateInput } from "../run/receipt";
import { elapsed, type RunState } from "../run/run-state";
import type { Invocation } from "./invocation";

/** Output tokens set aside for a call whose node names no `maxOutputTokens`, where the run has a token limit. */
const RESERVED_OUTPUT_TOKENS = 4096;

/** Asks the model of a node for its next turn. */
export function startTurn(run: RunState, invocation: Invocation): void {
	const { modelSettings } = invocation.node;
	const model = run.models[invocation.node.index];
	if (invocation.closed || modelSettings === undefined || model === undefined) return;
	const estimatedInput = estimateInput(run, invocation);
	const budget = reserveTokens(run, modelSettings.node.model?.maxOutputTokens, estimatedInput);
	if ("error" in budget) return failRun(run, budget.error);
	const limit = consumeStep(run);
	if (limit !== undefined) return failRun(run, limit);
	invocation.turns += 1;
	invocation.steps += 1;
	run.reservedTokens += budget.reserved;
	enqueueCall(run, {
		type: "model",
		invocation,
		isInFlight: false,
		row: run.receipt.push(undefined) - 1,
		account: model.account,
		startedAt: elapsed(run),
		mayCall:
			invocation.node.callees.size > 0 && invocation.turns < modelSettings.maxTurns && !invocation.repaired,
		maxOutputTokens: budget.maxOutputTokens,
		reserved: budget.reserved,
		estimatedInput,
		received: 0,
	});
}

/** Returns the receipt's fields for a model. */
export const toAccount = ({ model, payer, reason }: ResolvedModel): CallAccount => ({
	payer,
	provider: model.provider,
	vendor_host: model.vendorHost,
	model: model.model,
	reason,
});

type TokenBudget =
	| { readonly maxOutputTokens: number | undefined; readonly reserved: number }
	| { readonly error: RunError };

/** Sets tokens aside before the call, so that calls that run at once cannot cross the limit together. */
function reserveTokens(run: RunState, maxOutputTokens: number | undefined, input: number): TokenBudget {
	if (run.limits.maxTokens === Number.POSITIVE_INFINITY) return { maxOutputTokens, reserved: 0 };
	const remaining = run.limits.maxTokens - run.inputTokens - run.outputTokens - run.reservedTokens;
	const output = Math.min(maxOutputTokens ?? RESERVED_OUTPUT_TOKENS, remaining - input);
	const needed = input + (maxOutputTokens ?? 1);
	if (needed > remaining) return { error: tokenError(run, needed) };
	return { maxOutputTokens: output, reserved: input + output };
}
