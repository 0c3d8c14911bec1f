import type { Kysely, Selectable } from "kysely";
import type { WorkspaceTables } from "../store/workspace-tables";
import type { A2aTables } from "./a2a-tables";

/** Row of a push configuration in the store. */
export type PushConfigRow = Selectable<A2aTables["a2a_push_configs"]>;

type WorkspaceQueries = Kysely<WorkspaceTables>;

/** Primary key of a push configuration. */
export type PushConfigKey = Pick<PushConfigRow, "run_id" | "id">;

/** Stores a push configuration; replaces one with the same id. */
export async function putPushConfig(queries: WorkspaceQueries, row: PushConfigRow): Promise<void> {
	await queries
		.insertInto("a2a_push_configs")
		.values(row)
		.onConflict((conflict) => conflict.columns(["run_id", "id"]).doUpdateSet(row))
		.execute();
}

export const findPushConfig = (
	queries: WorkspaceQueries,
	{ run_id, id }: PushConfigKey,
): Promise<PushConfigRow | undefined> =>
	queries
		.selectFrom("a2a_push_configs")
		.selectAll()
		.where("run_id", "=", run_id)
		.where("id", "=", id)
		.executeTakeFirst();

export const listPushConfigs = (queries: WorkspaceQueries, runId: string): Promise<PushConfigRow[]> =>
	queries.selectFrom("a2a_push_configs").selectAll().where("run_id", "=", runId).orderBy("id").execute();

/** Lists the push configurations with something left to deliver. */
export const listPendingPushConfigs = (queries: WorkspaceQueries): Promise<PushConfigKey[]> =>
	queries
		.selectFrom("a2a_push_configs")
		.select(["run_id", "id"])
		.where("is_over", "=", 0)
		.orderBy("run_id")
		.execute();

export async function deletePushConfig(
	queries: WorkspaceQueries,
	{ run_id, id }: PushConfigKey,
): Promise<void> {
	await queries.deleteFrom("a2a_push_configs").where("run_id", "=", run_id).where("id", "=", id).execute();
}

/** Ends a push configuration: nothing more is delivered, and its secrets are deleted. */
export async function finishPushConfig(
	queries: WorkspaceQueries,
	{ run_id, id }: PushConfigKey,
): Promise<void> {
	await queries
		.updateTable("a2a_push_configs")
		.set({ is_over: 1, secrets: null })
		.where("run_id", "=", run_id)
		.where("id", "=", id)
		.execute();
}

/**
 * Ends all push configurations that a client has set: nothing more is delivered.
 *
 * @returns the configurations that had something left to deliver.
 */
export const finishPushConfigsOf = (queries: WorkspaceQueries, clientId: string): Promise<PushConfigKey[]> =>
	queries
		.updateTable("a2a_push_configs")
		.set({ is_over: 1, secrets: null })
		.where("set_by", "=", clientId)
		.where("is_over", "=", 0)
		.returning(["run_id", "id"])
		.execute();

/**
 * Writes down how far a receiver is. What is over needs its secrets no more.
 *
 * @returns false where the configuration was deleted, or is another one since.
 */
export async function advancePushConfig(
	queries: WorkspaceQueries,
	{ run_id, id, created_at }: PushConfigRow,
	seq: number,
	isFinished: boolean,
): Promise<boolean> {
	const { numUpdatedRows } = await queries
		.updateTable("a2a_push_configs")
		.set({ delivered_seq: seq, ...(isFinished && { is_over: 1, secrets: null }) })
		.where("run_id", "=", run_id)
		.where("id", "=", id)
		.where("created_at", "=", created_at)
		.executeTakeFirst();
	return numUpdatedRows === 1n;
}
