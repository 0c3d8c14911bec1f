import type { ApprovalDecision } from "@stemma/core";
import { clock } from "@stemma/core/internal";
import {
	approvalNotFound,
	type DecisionProblem,
	findDecisionProblem,
	isRepeated,
	toDecision,
} from "@stemma/runs";
import { type AuditAuthor, readAuthor } from "../../audit/audit-author";
import { DomainError } from "../../errors/domain-error";
import type { RequestScope } from "../../request-scope";
import type { ApprovalChange, DecisionRequest, RunApproval } from "../repositories/approval-repository";
import { resumeRun } from "../resuming/resume-run";

/** Decision of a person on an approval. */
export type ApprovalDecisionInput = Pick<ApprovalDecision, "approval_id" | "decision"> & {
	readonly reason?: string | undefined;
};

/**
 * Records what a person has decided on approvals of a run, all or nothing, with the audit of who has; then resumes the
 * run. The same decision once more changes nothing.
 *
 * @throws DomainError `approval_not_found`, `approval_decided`, `approval_expired`, `run_ended`; and as `Runs.resume`:
 * nothing was decided then.
 */
export async function decideApprovals(
	scope: RequestScope,
	runId: string,
	decisions: readonly ApprovalDecisionInput[],
): Promise<void> {
	const author = readAuthor(scope);
	const requests = decisions.map(
		(input): DecisionRequest => ({
			approvalId: input.approval_id,
			decide: (approval) => decide(approval, { ...input, runId, author }),
		}),
	);
	await resumeRun(scope, runId, async () =>
		(await scope.workspace.store.approvals.decide(runId, requests)).map(toDecision),
	);
}

function decide(
	approval: RunApproval | undefined,
	{
		runId,
		approval_id,
		decision,
		reason,
		author,
	}: ApprovalDecisionInput & { readonly runId: string; readonly author: AuditAuthor },
): ApprovalChange | undefined {
	if (approval === undefined) throw toDomainError(approvalNotFound(runId, approval_id));
	if (isRepeated(approval, { decision })) return undefined;
	const now = clock.now();
	const problem = findDecisionProblem({ id: runId, status: approval.run_status }, approval, now);
	if (problem !== undefined) throw toDomainError(problem);
	return {
		decision: { decision, reason: reason ?? null, decided_by: author.actor, decided_at: now },
		audit: {
			...author,
			action: decision === "approve" ? "approval.approved" : "approval.denied",
			target: runId,
			// What it is called with may be anything, and is in the run.
			details: { approval_id, node: approval.node, tool: approval.tool },
		},
	};
}

const toDomainError = (problem: DecisionProblem): DomainError =>
	new DomainError(problem.code, problem.message, problem);
