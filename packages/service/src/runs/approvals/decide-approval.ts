import type { ApprovalDecision } from "@stemma/core";
import { clock, quote } from "@stemma/core/internal";
import type { Kysely } from "kysely";
import type { AuditAuthor } from "../../audit/audit-author";
import { DomainError } from "../../errors/domain-error";
import { recordAudit } from "../../store/sqlite/audit-repository";
import type { WorkspaceTables } from "../../store/workspace-tables";
import { type ApprovalRow, findApproval, recordDecision, toDecision } from "./approval-rows";

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
	if (approval === undefined) throw approvalNotFound(runId, approval_id);
	if (approval.decision === decision) return [];
	if (approval.decision !== null || approval.expires_at <= now) throw toDecidedError(approval);
	await assertNotEnded(transaction, runId);
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

const approvalNotFound = (runId: string, id: string): DomainError =>
	new DomainError("approval_not_found", `The run ${quote(runId)} has no approval ${quote(id)}.`, {
		hint: `Its open approvals are in result.approvals of GET /v1/runs/${runId}.`,
	});

function toDecidedError({ id, decision, decided_at, expires_at }: ApprovalRow): DomainError {
	if (decision === null || decision === "expire") {
		const at = new Date(expires_at).toISOString();
		return new DomainError("approval_expired", `The approval ${quote(id)} expired at ${at}.`, {
			hint: "It counts as denied. Start the run again to get a new approval request.",
		});
	}
	const verb = decision === "approve" ? "approved" : "denied";
	return new DomainError("approval_decided", `The approval ${quote(id)} was already ${verb}.`, {
		hint: "The decision cannot be changed: the run has continued with it.",
		details: { decision, decided_at: decided_at === null ? null : new Date(decided_at).toISOString() },
	});
}

/** @throws DomainError `run_ended`. */
async function assertNotEnded(transaction: Kysely<WorkspaceTables>, runId: string): Promise<void> {
	const { status } = await transaction
		.selectFrom("runs")
		.select("status")
		.where("id", "=", runId)
		.executeTakeFirstOrThrow();
	if (status === "running" || status === "paused") return;
	throw new DomainError(
		"run_ended",
		`The run ${quote(runId)} has ended (${status}) and no longer waits for an approval.`,
		{
			hint: "Start the agent again to get a new approval request.",
		},
	);
}
