import type { SharedRunStep } from "@stemma/client";
import type { RunSpan } from "../runs/run-view";

/** Converts the steps of a shared run to spans of a timeline. @param end - end of the run, in epoch milliseconds. */
export function toSpans(steps: readonly SharedRunStep[], end: number): readonly RunSpan[] {
	const depths = new Map<number, number>();
	return steps.map(
		({ invocation, parent, node, kind, status, started_at, ended_at, input, output, error }) => {
			const around = parent === undefined ? undefined : depths.get(parent);
			const depth = around === undefined ? 0 : around + 1;
			depths.set(invocation, depth);
			return {
				...{ id: `node ${invocation}`, kind, node, depth, status, text: "", skipped: [], approvals: [] },
				startedAt: Date.parse(started_at),
				endedAt: ended_at === null ? end : Date.parse(ended_at),
				...(input !== undefined && { input }),
				...(output !== undefined && { output }),
				...(error !== undefined && { error }),
			};
		},
	);
}
