import type { StoredApproval } from "@stemma/runs";
import type { AuditEntry } from "../../audit/audit-record";
import type { StoredRun } from "../stored-run";

/** Approval that a run waits for, or has waited for. Times are epoch milliseconds. */
export interface RunApproval extends StoredApproval {
	readonly node: string;
	readonly tool: string;
	/** Status of its run. */
	readonly run_status: StoredRun["status"];
}

/** Decision on an approval as it is stored. */
export interface StoredDecision {
	readonly decision: NonNullable<StoredApproval["decision"]>;
	readonly reason: string | null;
	/** `cl_…`; `null` for an approval that has expired. */
	readonly decided_by: string | null;
	/** Epoch milliseconds. */
	readonly decided_at: number;
}

/** Approval with its decision. */
export interface DecidedApproval extends Omit<StoredDecision, "decided_by"> {
	readonly id: string;
}

/** Decision to store, with the record of the audit that tells of it. */
export interface ApprovalChange {
	readonly decision: StoredDecision;
	readonly audit: AuditEntry;
}

/** Request to decide on one approval of a run. */
export interface DecisionRequest {
	readonly approvalId: string;
	/**
	 * Decides where nobody else can write. What it throws changes nothing.
	 *
	 * @returns `undefined` for an approval that stays as it is.
	 */
	decide(approval: RunApproval | undefined): ApprovalChange | undefined;
}

/** Approvals of the runs of one workspace. They are stored with the pauses of their runs; see `RunStore.append`. */
export interface ApprovalRepository {
	/** Decides on open approvals of a run with the records of the audit: all, one after the other, or none. */
	decide(runId: string, requests: readonly DecisionRequest[]): Promise<readonly DecidedApproval[]>;
	/** Expires the open approvals of a run whose time is over. The audit gets no record, because there is no author. */
	expire(runId: string, now: number): Promise<readonly DecidedApproval[]>;
	/** Lists the approvals of a run that were decided, or have expired. */
	listDecided(runId: string): Promise<readonly DecidedApproval[]>;
	/** Lists the paused runs that can go on: an approval of theirs was decided, or its time is over. */
	listRunsToResume(now: number): Promise<readonly string[]>;
}
