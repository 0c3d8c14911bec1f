import type { WireRunEvent } from "@stemma/client";
import type { A2aMessage, A2aPart } from "@stemma/client/a2a";
import type { Json, RunError, RunResult } from "@stemma/core";

type TaskIds = Pick<A2aMessage, "taskId" | "contextId">;

/** Why a task failed: for a person, and for a program. */
export function toFailureMessage(event: WireRunEvent, ids: TaskIds, error: RunError): A2aMessage {
	const { code, message, hint } = error;
	const text = hint === undefined ? message : `${message} ${hint}`;
	const data = { code, message, ...(hint === undefined ? {} : { hint }) };
	return toMessage(event, ids, [{ text }, { data }]);
}

/**
 * What a task waits for: the calls that someone has to approve, bound to their arguments, and where that is done. Whoever
 * does not see them learns that the task waits.
 */
export function toApprovalMessage(event: WireRunEvent, ids: TaskIds, result: RunResult): A2aMessage {
	const { approvals = [] } = result;
	const calls = approvals.map(({ tool, id }) => `${tool} (${id})`).join(", ");
	const where = `POST …/runs/${result.run_id}/approvals/<approval id>`;
	const text =
		calls === ""
			? "The task waits for an approval."
			: `Waits for approval of ${calls}. Decide with ${where}, and subscribe to the task.`;
	// Approvals came as JSON, or go out as such.
	const data = { run_id: result.run_id, approvals: approvals as unknown as Json };
	return toMessage(event, ids, [{ text }, { data }]);
}

/** The same event makes the same message, whoever reads it and when. */
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
