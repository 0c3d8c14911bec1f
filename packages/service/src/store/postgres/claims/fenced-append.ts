import { type LoggedEvent, RunsLostError } from "@stemma/runs";
import { type Kysely, sql } from "kysely";
import { listLastEvents } from "../../repositories/runs/last-events";
import type { WorkspaceTables } from "../../workspace-tables";
import { IS_OWN_WORKSPACE } from "./claim-conditions";
import { notifyWork } from "./notify-work";

type Connection = Kysely<WorkspaceTables>;

/** Event or state of a run, with the fence of the claim under which it was written. */
type FencedWrite = Pick<LoggedEvent, "runId" | "fence">;

/** @throws RunsLostError where the claims under which something was written are not the current ones of their runs. */
export async function assertFences(transaction: Connection, written: readonly FencedWrite[]): Promise<void> {
	const last = [...new Map(written.map((write) => [write.runId, write])).values()];
	if (last.length === 0) return;
	const { rows } = await sql<{ id: string }>`
		SELECT id FROM unnest(${last.map(({ runId }) => runId)}::text[], ${last.map(({ fence = 0 }) => fence)}::bigint[])
			AS written (id, fence)
		WHERE NOT EXISTS (
			SELECT FROM stemma_deployment.claims
			WHERE ${IS_OWN_WORKSPACE} AND claims.kind = 'run' AND claims.id = written.id AND claims.fence = written.fence
		)`.execute(transaction);
	if (rows.length > 0) throw new RunsLostError(rows.map(({ id }) => id));
}

/**
 * Deletes the claims of runs that have ended or paused, and tells other instances of these: whoever watches them must not
 * miss it, also where this instance ends next. Of other events they are told later, see `createEventNotifier`.
 */
export async function notifySettled(
	transaction: Connection,
	writer: string,
	events: readonly LoggedEvent[],
): Promise<void> {
	const last = [...listLastEvents(events)];
	const settled = last.filter(({ status = "running" }) => status !== "running").map(({ runId }) => runId);
	if (settled.length === 0) return;
	await sql`
			DELETE FROM stemma_deployment.claims
			WHERE ${IS_OWN_WORKSPACE} AND kind = 'run' AND id = ANY(${settled}::text[])`.execute(transaction);
	await notifyWork(transaction, writer, { type: "runs", runIds: settled });
}
