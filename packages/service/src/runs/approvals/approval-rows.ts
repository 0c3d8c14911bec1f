import type { ApprovalDecision } from "@stemma/core";
import { isDecided, toDecision } from "@stemma/runs";
import type { Kysely, Selectable } from "kysely";
import type { WorkspaceTables } from "../../store/workspace-tables";
import type { ApprovalTables } from "./approval-tables";

/** Row of an approval in the store. */
export type ApprovalRow = Selectable<ApprovalTables["approvals"]>;

type WorkspaceQueries = Kysely<WorkspaceTables>;

export const findApproval = (
	queries: WorkspaceQueries,
	runId: string,
	id: string,
): Promise<ApprovalRow | undefined> =>
	queries
		.selectFrom("approvals")
		.selectAll()
		.where("run_id", "=", runId)
		.where("id", "=", id)
		.executeTakeFirst();

/** Decision as it is stored. */
export type StoredDecision = Pick<ApprovalRow, "decision" | "reason" | "decided_by" | "decided_at">;

/** Decides on an approval; nothing happens to one that is decided. */
export async function recordDecision(
	queries: WorkspaceQueries,
	{ run_id, id }: Pick<ApprovalRow, "run_id" | "id">,
	decision: StoredDecision,
): Promise<void> {
	await queries
		.updateTable("approvals")
		.set(decision)
		.where("run_id", "=", run_id)
		.where("id", "=", id)
		.where("decision", "is", null)
		.execute();
}

/** The open approvals of a run that have expired. */
export const listExpired = (
	queries: WorkspaceQueries,
	runId: string,
	now: number,
): Promise<Pick<ApprovalRow, "run_id" | "id">[]> =>
	queries
		.selectFrom("approvals")
		.select(["run_id", "id"])
		.where("run_id", "=", runId)
		.where("decision", "is", null)
		.where("expires_at", "<=", now)
		.execute();

/** Runs that wait, though there is something to go on with: what nobody decided in time, or what a crash came between. */
export async function listRunsToResume(queries: WorkspaceQueries, now: number): Promise<readonly string[]> {
	const rows = await queries
		.selectFrom("approvals")
		.innerJoin("runs", "runs.id", "approvals.run_id")
		.select("run_id")
		.distinct()
		.where("runs.status", "=", "paused")
		.where(({ and, eb, or }) =>
			or([
				eb("decision", "is not", null),
				and([eb("decision", "is", null), eb("approvals.expires_at", "<=", now)]),
			]),
		)
		.execute();
	return rows.map(({ run_id }) => run_id);
}

/**
 * Lists the decisions on approvals of a run, as the run takes them.
 *
 * @param ids - of the approvals that the run waits for.
 */
export async function listDecisions(
	queries: WorkspaceQueries,
	runId: string,
	ids: readonly string[],
): Promise<readonly ApprovalDecision[]> {
	const rows = await queries
		.selectFrom("approvals")
		.select(["id", "decision", "reason", "decided_at"])
		.where("run_id", "=", runId)
		.where("decision", "is not", null)
		.execute();
	return rows
		.filter(({ id }) => ids.includes(id))
		.filter(isDecided)
		.map(toDecision);
}
