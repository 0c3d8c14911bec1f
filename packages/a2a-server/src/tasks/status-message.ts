import type { WireRunEvent } from "@stemma/client";
import type { A2aMessage, A2aPart } from "@stemma/client/a2a";
import type { Approval, RunError, RunResult } from "@stemma/core";

type TaskIds = Pick<A2aMessage, "taskId" | "contextId">;

/** Builds the message about a failed task: as text for a person, and as data for a program. */
export function toFailureMessage(event: WireRunEvent, ids: TaskIds, error: RunError): A2aMessage {
	const { code, message, hint } = error;
	const text = hint === undefined ? message : `${message} ${hint}`;
	const data = { code, message, ...(hint === undefined ? {} : { hint }) };
	return toMessage(event, ids, [{ text }, { data }]);
}

/**
 * Builds the message about a waiting task: the calls that someone has to approve, bound to their arguments, and how to
 * do that (A2A 1.0.1, section 7.6.1). Callers who may not see the calls learn only that the task waits.
 */
export function toApprovalMessage(event: WireRunEvent, ids: TaskIds, result: RunResult): A2aMessage {
	const { run_id, approvals = [] } = result;
	const data = { run_id, approvals: approvals.map((approval) => ({ ...approval })) };
	return toMessage(event, ids, [{ text: describeApprovals(run_id, approvals) }, { data }]);
}

function describeApprovals(runId: string, approvals: readonly Approval[]): string {
	const [first] = approvals;
	if (first === undefined) return "The task waits for an approval.";
	const calls = approvals.map(({ tool, id }) => `${tool} (${id})`).join(", ");
	const decision = JSON.stringify({ approval_id: first.id, decision: "approve" });
	return [
		`Waits for approval of ${calls}.`,
		`Decide with POST …/runs/${runId}/approvals/<approval id>,`,
		`or by a message to this task with the data part ${decision} ("deny" takes a "reason", too).`,
		"Deciding needs a credential that may approve runs (in the service: the scope runs:approve).",
	].join(" ");
}

/** Builds a message from an event. The same event always gives the same message. */
const toMessage = (
	{ run_id, seq }: WireRunEvent,
	{ taskId, contextId }: TaskIds,
	parts: readonly A2aPart[],
): A2aMessage => ({
	messageId: `${run_id}-${seq}`,
	role: "ROLE_AGENT",
	parts,
	...(contextId === undefined ? {} : { contextId }),
	...(taskId === undefined ? {} : { taskId }),
});
