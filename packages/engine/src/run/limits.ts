import { ConfigurationError, DEFAULT_LIMITS, type RunError, type RunLimits } from "@stemma/core";
import type { EffectiveLimits, RunState } from "./run-state";

/** Calls of one run that are in flight at once, where the operator says nothing. */
const DEFAULT_CONCURRENT_CALLS = 8;

/** The graph's limits, or the defaults, met with the operator's: the smaller counts. */
export function mergeLimits(
	graph: RunLimits,
	operator: RunLimits,
	maxConcurrentCalls = DEFAULT_CONCURRENT_CALLS,
): EffectiveLimits {
	const lower = (own: number | undefined, other: number | undefined, fallback: number): number =>
		Math.min(own ?? other ?? fallback, other ?? Number.POSITIVE_INFINITY);
	return {
		maxSteps: lower(graph.maxSteps, operator.maxSteps, DEFAULT_LIMITS.maxSteps),
		maxDepth: lower(graph.maxDepth, operator.maxDepth, DEFAULT_LIMITS.maxDepth),
		timeoutMs: lower(graph.timeoutMs, operator.timeoutMs, DEFAULT_LIMITS.timeoutMs),
		maxTokens: lower(graph.maxTokens, operator.maxTokens, Number.POSITIVE_INFINITY),
		maxConcurrentCalls,
	};
}

/** @throws ConfigurationError for figures that would limit nothing, such as `NaN` from a variable that is not set. */
export function checkLimits(limits: RunLimits, maxConcurrentCalls?: number): void {
	for (const [name, value] of Object.entries(limits)) checkCount(`limits.${name}`, value);
	checkCount("maxConcurrentCalls", maxConcurrentCalls);
}

function checkCount(name: string, value: number | undefined): void {
	if (value !== undefined && (!Number.isInteger(value) || value < 1))
		throw new ConfigurationError(`${name} must be a whole number, 1 or more, got ${value}.`, {
			option: name,
		});
}

/** Counts one step, or says why the run must end before it. */
export function consumeStep(run: RunState): RunError | undefined {
	if (run.steps >= run.limits.maxSteps)
		return {
			code: "max_steps",
			message: `The run reached its limit of ${run.limits.maxSteps} steps.`,
			hint: "A step is an invocation of a node or a model turn. Raise limits.maxSteps, or look for nodes that call one another without end.",
		};
	run.steps += 1;
	return undefined;
}

export function timeoutError(run: RunState): RunError {
	return {
		code: "timeout",
		message: `The run took longer than its limit of ${run.limits.timeoutMs} ms.`,
		hint: "Raise limits.timeoutMs, or make the graph do less.",
	};
}

export function tokenError(run: RunState, needed: number): RunError {
	const used = run.inputTokens + run.outputTokens;
	return {
		code: "max_tokens",
		message: `The next model call needs about ${needed} tokens, but of the run's limit of ${run.limits.maxTokens}, ${used} are used and ${run.reservedTokens} are reserved.`,
		hint: "Raise limits.maxTokens, or lower model.maxOutputTokens of the node.",
	};
}
