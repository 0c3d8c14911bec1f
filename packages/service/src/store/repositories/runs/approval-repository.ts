import type { Kysely } from "kysely";
import type {
	ApprovalRepository,
	DecidedApproval,
	DecisionRequest,
	RunApproval,
} from "../../../runs/repositories/approval-repository";
import { ownClaims, type WorkClaims } from "../../claims/work-claims";
import type { Queries } from "../../database";
import type { WorkspaceTables } from "../../workspace-tables";
import { recordAudit } from "../audit-repository";

type WorkspaceQueries = Kysely<WorkspaceTables>;

/** Approvals of runs of a workspace. */
export const createApprovalRepository = (
	{ read, write }: Queries<WorkspaceTables>,
	claims: WorkClaims = ownClaims,
): ApprovalRepository => ({
	decide: (runId, requests) =>
		write.transaction().execute(async (transaction) => {
			const decided: DecidedApproval[] = [];
			for (const request of requests) decided.push(...(await decide(transaction, runId, request)));
			if (decided.length > 0) await claims.notify(transaction, { type: "decided", runId });
			return decided;
		}),
	async expire(runId, now) {
		const decision = { decision: "expire", reason: null, decided_at: now } as const;
		const expired = await write
			.updateTable("approvals")
			.set(decision)
			.where("run_id", "=", runId)
			.where("decision", "is", null)
			.where("expires_at", "<=", now)
			.returning("id")
			.execute();
		return expired.map(({ id }) => ({ id, ...decision }));
	},
	listDecided: (runId) =>
		read
			.selectFrom("approvals")
			.select(["id", "decision", "reason", "decided_at"])
			.where("run_id", "=", runId)
			.where("decision", "is not", null)
			.orderBy("id")
			.$narrowType<DecidedApproval>()
			.execute(),
	async listRunsToResume(now) {
		const rows = await read
			.selectFrom("approvals")
			.innerJoin("runs", "runs.id", "approvals.run_id")
			.select("run_id")
			.distinct()
			.where("runs.status", "=", "paused")
			.where(({ eb, or }) => or([eb("decision", "is not", null), eb("approvals.expires_at", "<=", now)]))
			.execute();
		return rows.map(({ run_id }) => run_id);
	},
});

async function decide(
	transaction: WorkspaceQueries,
	runId: string,
	{ approvalId, decide }: DecisionRequest,
): Promise<readonly DecidedApproval[]> {
	const change = decide(await findApproval(transaction, runId, approvalId));
	if (change === undefined) return [];
	const { decided_by, ...decision } = change.decision;
	await transaction
		.updateTable("approvals")
		.set({ ...decision, decided_by })
		.where("run_id", "=", runId)
		.where("id", "=", approvalId)
		.execute();
	await recordAudit(transaction, change.audit);
	return [{ id: approvalId, ...decision }];
}

const findApproval = (
	transaction: WorkspaceQueries,
	runId: string,
	id: string,
): Promise<RunApproval | undefined> =>
	transaction
		.selectFrom("approvals")
		.innerJoin("runs", "runs.id", "approvals.run_id")
		.select(["approvals.id", "node", "tool", "expires_at", "decision", "reason", "decided_at"])
		.select("runs.status as run_status")
		.where("run_id", "=", runId)
		.where("approvals.id", "=", id)
		.executeTakeFirst();
