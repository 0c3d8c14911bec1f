import type { AgentInspection } from "@stemma/core";
import { list } from "./describe-node";
import { describeRemoteCalls } from "./remote-calls";

/** What a graph may not have, for `--fail-on`. */
export const CONDITIONS = ["untrusted", "unbounded", "unreachable"] as const;

export type Condition = (typeof CONDITIONS)[number];

/** Why a graph fails, by condition; none of the conditions that it meets. */
export function findFailures(
	{ taintPaths, modelCalls, unreachable }: AgentInspection,
	conditions: readonly Condition[],
): Partial<Record<Condition, string>> {
	const { cycle, unlimitedCalls = [] } = modelCalls;
	const [first] = [...taintPaths].sort((a, b) => a.path.length - b.path.length);
	const reasons: Record<Condition, string | undefined> = {
		untrusted: first && `text of others can lead to an effect: ${first.path.join(" → ")}`,
		unbounded:
			(cycle && `only maxSteps ends the cycle ${[...cycle, cycle[0]].join(" → ")}`) ??
			(unlimitedCalls.length > 0 ? `calls without maxCalls: ${list(unlimitedCalls)}` : undefined),
		unreachable: unreachable.length > 0 ? `nothing leads to ${list(unreachable)}` : undefined,
	};
	return Object.fromEntries(
		[...new Set(conditions)].flatMap((condition) =>
			reasons[condition] === undefined ? [] : [[condition, reasons[condition]]],
		),
	);
}

/** What a condition that holds does not tell of, by condition. */
export function findUnchecked(
	{ modelCalls: { remotes } }: AgentInspection,
	conditions: readonly Condition[],
): Partial<Record<Condition, string>> {
	if (remotes === undefined || !conditions.includes("unbounded")) return {};
	return { unbounded: `does not count ${describeRemoteCalls(remotes)}` };
}
