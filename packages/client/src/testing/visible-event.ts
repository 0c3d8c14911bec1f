import type { RunResult } from "@stemma/core";
import type { WireRunEvent } from "../types/run";

/**
 * Returns an event as a client key with `expose: "answer"`, the default, sees it; `undefined` for an event that it does
 * not see.
 */
export function toVisibleEvent(event: WireRunEvent): WireRunEvent | undefined {
	switch (event.type) {
		case "run.started":
		case "run.resumed":
		case "text.reset":
			return event;
		case "text.delta":
			return event.final ? event : undefined;
		case "run.failed":
			return {
				...event,
				error: toVisibleError(event.error, event.run_id),
				result: toVisibleResult(event.result),
			};
		case "run.completed":
		case "run.cancelled":
		case "run.paused":
			return { ...event, result: toVisibleResult(event.result) };
		default:
			return undefined;
	}
}

/** Returns a result without who pays, and without what an error says about the graph. */
export function toVisibleResult({ approvals: _, error, ...result }: RunResult): RunResult {
	return {
		...result,
		receipt: [],
		...(error === undefined ? {} : { error: toVisibleError(error, result.run_id) }),
	};
}

const toVisibleError = ({ code }: { readonly code: string }, runId: string) => ({
	code,
	message: "The run failed.",
	hint: `The workspace of this key can see why: stemma runs show ${runId}`,
});
