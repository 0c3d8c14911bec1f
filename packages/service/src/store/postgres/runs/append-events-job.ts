import type { LoggedEvent, LoggedPause, LoggedState, RunBatch } from "@stemma/runs";
import { sql, type Transaction } from "kysely";
import { listLastEvents } from "../../repositories/runs/last-events";
import type { WorkspaceTables } from "../../workspace-tables";
import { notifyWork } from "../claims/notify-work";
import type { PostgresJob } from "../postgres-job";
import { updateRunMessage } from "../threads/end-message";
import { writeReceipts } from "../usage/write-receipts";
import { storeEvents } from "./store-events";

/**
 * Writes a batch in one transaction: nobody sees that a run waits before it can be continued. What is there already is
 * left, and not counted twice: a batch may be tried again.
 *
 * @throws RunsLostError where another instance has claimed runs of the batch since.
 */
export const appendEvents: PostgresJob<RunBatch, void> = async (
	transaction,
	{ events, receipts, states = [], writer },
) => {
	await saveStates(transaction, [...states, ...listPauses(events)]);
	const settled = writer === undefined ? [] : listSettled(events);
	const fenced = writer === undefined ? undefined : [...events, ...states];
	await storeEvents(transaction, { events, fenced, settled });
	for (const { runId, pause } of events)
		if (pause !== undefined) await addApprovals(transaction, runId, pause);
	for (const event of events) await updateRunMessage(transaction, event);
	if (receipts.length > 0) await writeReceipts(transaction, receipts);
	// Whoever watches them must not miss it, also where this instance ends next. Of other events they are told later, see `createEventNotifier`.
	if (writer !== undefined && settled.length > 0)
		await notifyWork(transaction, writer, { type: "runs", runIds: settled });
};

/** Runs that have ended or paused. */
const listSettled = (events: readonly LoggedEvent[]): readonly string[] =>
	[...listLastEvents(events)]
		.filter(({ status = "running" }) => status !== "running")
		.map(({ runId }) => runId);

const listPauses = (events: readonly LoggedEvent[]): readonly LoggedState[] =>
	events.flatMap(({ runId, pause }) => (pause === undefined ? [] : { runId, ...pause }));

/** Saves the last state of each run. */
async function saveStates(
	transaction: Transaction<WorkspaceTables>,
	states: readonly LoggedState[],
): Promise<void> {
	const last = [...new Map(states.map((state) => [state.runId, state])).values()];
	if (last.length === 0) return;
	const columns = [
		sql`${last.map(({ runId }) => runId)}::text[]`,
		sql`${last.map(({ state }) => state)}::text[]`,
		sql`${last.map(({ resumeContext }) => resumeContext)}::text[]`,
	];
	await sql`
		INSERT INTO run_states (run_id, state, setting) SELECT * FROM unnest(${sql.join(columns)})
		ON CONFLICT (workspace, run_id) DO UPDATE SET state = excluded.state, setting = excluded.setting`.execute(
		transaction,
	);
}

/** Adds the approvals of a pause. Decisions that were made still apply; an approval that is still open is listed with each pause. */
async function addApprovals(
	transaction: Transaction<WorkspaceTables>,
	run_id: string,
	{ approvals }: LoggedPause,
): Promise<void> {
	for (const { askedAt, expiresAt, id, node, tool, arguments: json } of approvals)
		await transaction
			.insertInto("approvals")
			.values({ run_id, id, node, tool, arguments: json, asked_at: askedAt, expires_at: expiresAt })
			.onConflict((conflict) => conflict.doNothing())
			.execute();
}
