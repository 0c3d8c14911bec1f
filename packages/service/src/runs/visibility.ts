import type { WireRunEvent } from "@stemma/client";
import type { RunError, RunResult } from "@stemma/core";
import { type EventRecord, parseEvent, toEventRecord } from "@stemma/runs";
import type { Caller } from "../auth/caller";

/** Part of a run that a caller sees: the answer; also who paid; or everything. */
export type Visibility = "answer" | "receipt" | "trace";

/** Returns the visibility of runs for a caller. */
export function visibilityOf(caller: Caller): Visibility {
	if (caller.kind === "client_key") return caller.expose;
	return caller.scopes.includes("agents:trace") ? "trace" : "receipt";
}

/** True for a caller that sees everything, or that made the input itself: that of a run within another is made by its graph. */
export const canSeeInput = (
	caller: Caller,
	{ started_by, within }: { readonly started_by: string; readonly within: string | null },
): boolean => visibilityOf(caller) === "trace" || (started_by === caller.id && within === null);

/** An event as this caller sees it; `undefined` for one that it does not see. */
export function toVisibleEvent(event: WireRunEvent, visibility: Visibility): WireRunEvent | undefined {
	if (visibility === "trace") return event;
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
				result: toVisibleResult(event.result, visibility),
			};
		case "run.completed":
		case "run.cancelled":
		case "run.paused":
			return { ...event, result: toVisibleResult(event.result, visibility) };
		default:
			return undefined;
	}
}

/** The record of an event as this caller sees it; `undefined` for one that it does not see. */
export function toVisibleRecord(record: EventRecord, visibility: Visibility): EventRecord | undefined {
	if (visibility === "trace") return record;
	const event = toVisibleEvent(parseEvent(record), visibility);
	return event && toEventRecord(event);
}

/**
 * Reduces a result to what a caller may see. With visibility `answer` it has no payers, no calls of inner nodes, and no
 * error details of the graph.
 */
export function toVisibleResult(result: RunResult, visibility: Visibility): RunResult {
	if (visibility !== "answer") return result;
	const { approvals: _, error, ...rest } = result;
	return {
		...rest,
		receipt: [],
		...(error === undefined ? {} : { error: toVisibleError(error, result.run_id) }),
	};
}

/** The details name nodes, and so may the message of what a port or a vendor said. */
function toVisibleError({ code }: RunError, runId: string): RunError {
	const hint = `The workspace of this key can see why: stemma runs show ${runId}`;
	return { code, message: VISIBLE_MESSAGES[code] ?? "The run failed.", hint };
}

const VISIBLE_MESSAGES: { readonly [code: string]: string } = {
	timeout: "The run took too long.",
	max_steps: "The run took too many steps.",
	max_tokens: "The run needed too many tokens.",
	interrupted: "The service stopped while the run was active.",
	budget_exhausted: "The daily budget of this key is used up.",
	context_invalid: "The run's context lacks a value that the agent needs.",
};
