import type { AgentInspection } from "@stemma/core";
import { list } from "./describe-node";
import { describeRemoteCalls } from "./remote-calls";

/** Conditions that a graph must not meet, for `--fail-on`. */
export const CONDITIONS = ["untrusted", "unbounded", "unreachable"] as const;

export type Condition = (typeof CONDITIONS)[number];

/** Finds the conditions that a graph fails, with the reasons; the conditions that it passes are left out. */
export function findFailures(
	{ taintPaths, modelCalls, unreachable }: AgentInspection,
	conditions: readonly Condition[],
): Partial<Record<Condition, string>> {
	const { cycle, unlimitedCalls = [] } = modelCalls;
	const [first] = [...taintPaths].sort((a, b) => a.path.length - b.path.length);
	const reasons: Record<Condition, string | undefined> = {
		untrusted: first && `untrusted text can lead to an effect: ${first.path.join(" → ")}`,
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

/** Finds what a passed condition does not cover, by condition. */
export function findUnchecked(
	{ modelCalls: { remotes } }: AgentInspection,
	conditions: readonly Condition[],
): Partial<Record<Condition, string>> {
	if (remotes === undefined || !conditions.includes("unbounded")) return {};
	return { unbounded: `does not count ${describeRemoteCalls(remotes)}` };
}
