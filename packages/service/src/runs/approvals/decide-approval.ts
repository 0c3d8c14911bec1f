import type { ApprovalDecision } from "@stemma/core";
import { clock } from "@stemma/core/internal";
import {
	approvalNotFound,
	type DecisionProblem,
	findDecisionProblem,
	isRepeated,
	toDecision,
} from "@stemma/runs";
import type { Kysely } from "kysely";
import type { AuditAuthor } from "../../audit/audit-author";
import { DomainError } from "../../errors/domain-error";
import { recordAudit } from "../../store/sqlite/audit-repository";
import type { WorkspaceTables } from "../../store/workspace-tables";
import { findApproval, recordDecision } from "./approval-rows";

/** Decision of a person on an approval. */
export interface ApprovalDecisionInput extends Omit<ApprovalDecision, "reason" | "decided_at"> {
	readonly reason?: string | undefined;
	readonly runId: string;
	readonly author: AuditAuthor;
}

/**
 * Writes down what a person has decided, and who; the same decision once more changes nothing.
 *
 * @throws DomainError `approval_not_found`, `approval_decided`, `approval_expired`, `run_ended`.
 */
export async function decideApproval(
	transaction: Kysely<WorkspaceTables>,
	{ runId, approval_id, decision, reason, author }: ApprovalDecisionInput,
	now = clock.now(),
): Promise<readonly ApprovalDecision[]> {
	const approval = await findApproval(transaction, runId, approval_id);
	if (approval === undefined) throw toDomainError(approvalNotFound(runId, approval_id));
	if (isRepeated(approval, { decision })) return [];
	const run = await transaction
		.selectFrom("runs")
		.select(["id", "status"])
		.where("id", "=", runId)
		.executeTakeFirstOrThrow();
	const problem = findDecisionProblem(run, approval, now);
	if (problem !== undefined) throw toDomainError(problem);
	const recorded = { decision, reason: reason ?? null, decided_by: author.actor, decided_at: now };
	await recordDecision(transaction, approval, recorded);
	await recordAudit(transaction, {
		...author,
		action: decision === "approve" ? "approval.approved" : "approval.denied",
		target: runId,
		// What it is called with may be anything, and is in the run.
		details: { approval_id, node: approval.node, tool: approval.tool },
	});
	return [toDecision({ id: approval_id, ...recorded })];
}

const toDomainError = (problem: DecisionProblem): DomainError =>
	new DomainError(problem.code, problem.message, problem);
