import type { ApprovalDecision, RunResult } from "@stemma/core";
import { toDecision } from "@stemma/runs";
import type { ApprovalRepository } from "../repositories/approval-repository";

/** Lists the decisions on the approvals that a run waits for. @param result - that of its pause. */
export async function listAwaitedDecisions(
	approvals: Pick<ApprovalRepository, "listDecided">,
	runId: string,
	{ approvals: awaited = [] }: RunResult,
): Promise<readonly ApprovalDecision[]> {
	const ids = awaited.map(({ id }) => id);
	const decided = await approvals.listDecided(runId);
	return decided.filter(({ id }) => ids.includes(id)).map(toDecision);
}
