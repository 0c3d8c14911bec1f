import type { TaskDecision } from "@stemma/a2a-server";
import type { RequestScope } from "../request-scope";
import { decideApprovals } from "../runs/approvals/decide-approvals";

/**
 * Records decisions on approvals of a task's run in one transaction, with their audit, and resumes the run.
 *
 * @returns whether the run goes on; false where it still waits.
 * @throws DomainError as `decideApprovals` does: then nothing was decided.
 */
export async function decideTask(
	scope: RequestScope,
	runId: string,
	decisions: readonly TaskDecision[],
): Promise<boolean> {
	await decideApprovals(scope, runId, decisions);
	const run = await scope.workspace.store.runs.find(runId);
	return run?.status !== "paused";
}
