import type { WireRunEvent } from "@stemma/client";
import type { RunResult } from "@stemma/core";
import { toAnswerEvent, toAnswerResult } from "@stemma/core/internal";
import { type EventRecord, parseEvent, toEventRecord } from "@stemma/runs";
import type { Caller } from "../auth/caller";

/** Part of a run that a caller sees: the answer; also who paid; or everything. */
export type Visibility = "answer" | "receipt" | "trace";

/** Returns the visibility of runs for a caller. */
export function visibilityOf(caller: Caller): Visibility {
	if (caller.kind === "client_key") return caller.expose;
	return caller.scopes.includes("agents:trace") ? "trace" : "receipt";
}

/** True for clients and for members who decide approvals: others see the runs that they started. */
export const seesAllRuns = ({ kind, scopes }: Caller): boolean =>
	kind === "client" || (kind === "user" && scopes.includes("runs:approve"));

/** True for a caller that sees everything, or that made the input itself: that of a run within another is made by its graph. */
export const canSeeInput = (
	caller: Caller,
	{ started_by, within }: { readonly started_by: string; readonly within: string | null },
): boolean => visibilityOf(caller) === "trace" || (started_by === caller.id && within === null);

/** An event as this caller sees it; `undefined` for one that it does not see. */
export const toVisibleEvent = (event: WireRunEvent, visibility: Visibility): WireRunEvent | undefined =>
	visibility === "trace" ? event : toAnswerEvent(event, (result) => toVisibleResult(result, visibility));

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
export const toVisibleResult = (result: RunResult, visibility: Visibility): RunResult =>
	visibility === "answer" ? toAnswerResult(result) : result;
