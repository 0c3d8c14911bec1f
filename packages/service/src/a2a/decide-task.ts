import type { TaskDecision } from "@stemma/a2a-server";
import type { ApprovalDecision } from "@stemma/core";
import type { Kysely } from "kysely";
import { readAuthor } from "../audit/audit-author";
import type { RequestScope } from "../request-scope";
import { decideApproval } from "../runs/approvals/decide-approval";
import { resumeRun } from "../runs/resume-run";
import { findRun } from "../runs/run-rows";
import type { WorkspaceTables } from "../store/workspace-tables";

/**
 * Records decisions on approvals of a task's run in one transaction, with their audit, and resumes the run.
 *
 * @returns whether the run goes on; false where it still waits.
 * @throws DomainError as `decideApproval` does: then nothing was decided.
 */
export async function decideTask(
	scope: RequestScope,
	runId: string,
	decisions: readonly TaskDecision[],
): Promise<boolean> {
	const author = readAuthor(scope);
	async function decide(transaction: Kysely<WorkspaceTables>): Promise<readonly ApprovalDecision[]> {
		const recorded: ApprovalDecision[] = [];
		for (const decision of decisions)
			recorded.push(...(await decideApproval(transaction, { ...decision, runId, author })));
		return recorded;
	}
	await resumeRun(scope, runId, decide);
	const run = await findRun(scope.workspace.database, runId);
	return run?.status !== "paused";
}
