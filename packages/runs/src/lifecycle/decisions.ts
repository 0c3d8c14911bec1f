import type { ApprovalDecision, RunStatus } from "@stemma/core";
import { quote } from "@stemma/core/internal";

/** Approval of a run as its store keeps it. Times are epoch milliseconds. */
export interface StoredApproval {
	/** Unique in its run. */
	readonly id: string;
	readonly expires_at: number;
	/** Decision; null while the approval is open. */
	readonly decision: "approve" | "deny" | "expire" | null;
	readonly reason: string | null;
	readonly decided_at: number | null;
}

/** Approval that was decided, or has expired. */
export type DecidedApproval = Omit<StoredApproval, "decision" | "expires_at"> & {
	readonly decision: NonNullable<StoredApproval["decision"]>;
};

export const isDecided = <Approval extends Omit<StoredApproval, "expires_at">>(
	approval: Approval,
): approval is Approval & DecidedApproval => approval.decision !== null;

/** Run that is decided on. */
export interface DecidedRun {
	readonly id: string;
	readonly status: "running" | RunStatus;
}

/** Reason for which a decision is refused, with its code. */
export interface DecisionProblem {
	readonly code: "approval_not_found" | "approval_decided" | "approval_expired" | "run_ended";
	readonly message: string;
	readonly hint: string;
	readonly details?: { readonly decision: "approve" | "deny"; readonly decided_at: string | null };
}

/** Checks whether an approval was decided in the same way before: then the decision changes nothing. */
export const isRepeated = (
	approval: StoredApproval | undefined,
	{ decision }: Pick<ApprovalDecision, "decision">,
): boolean => approval?.decision === decision;

/** Problem of a decision on an approval that there is none of. */
export const approvalNotFound = (runId: string, approvalId: string): DecisionProblem => ({
	code: "approval_not_found",
	message: `The run ${quote(runId)} has no approval ${quote(approvalId)}.`,
	hint: "Its open approvals are in `result.approvals` of its event `run.paused`.",
});

/** Finds why an approval cannot be decided on; undefined where it can. */
export function findDecisionProblem(
	run: DecidedRun,
	approval: StoredApproval,
	now: number,
): DecisionProblem | undefined {
	if (approval.decision === "expire" || (approval.decision === null && approval.expires_at <= now))
		return {
			code: "approval_expired",
			message: `The approval ${quote(approval.id)} expired at ${new Date(approval.expires_at).toISOString()}.`,
			hint: "It counts as denied. Start the run again to get a new approval request.",
		};
	if (approval.decision !== null) return toDecidedProblem(approval.decision, approval);
	if (run.status === "running" || run.status === "paused") return undefined;
	return {
		code: "run_ended",
		message: `The run ${quote(run.id)} has ended (${run.status}) and no longer waits for an approval.`,
		hint: "Start the agent again to get a new approval request.",
	};
}

const toDecidedProblem = (
	decision: "approve" | "deny",
	{ id, decided_at }: StoredApproval,
): DecisionProblem => ({
	code: "approval_decided",
	message: `The approval ${quote(id)} was already ${decision === "approve" ? "approved" : "denied"}.`,
	hint: "The decision cannot be changed: the run has continued with it.",
	details: { decision, decided_at: decided_at === null ? null : new Date(decided_at).toISOString() },
});

const EXPIRED_REASON = "Nobody decided in time.";

/** Decision on an approval, as the run takes it. */
export function toDecision({ id, decision, reason, decided_at }: DecidedApproval): ApprovalDecision {
	const base = {
		approval_id: id,
		...(decided_at !== null && { decided_at: new Date(decided_at).toISOString() }),
	};
	if (decision === "approve") return { ...base, decision };
	const denialReason = decision === "expire" ? EXPIRED_REASON : reason;
	return { ...base, decision: "deny", ...(denialReason !== null && { reason: denialReason }) };
}
