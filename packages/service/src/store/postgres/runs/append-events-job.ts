import type { LoggedEvent, LoggedPause, LoggedState, RunBatch } from "@stemma/runs";
import { sql, type Transaction } from "kysely";
import { listLastEvents } from "../../repositories/runs/last-events";
import type { WorkspaceTables } from "../../workspace-tables";
import { assertFences, notifySettled } from "../claims/fenced-append";
import { ownRows } from "../own-rows-plugin";
import type { PostgresJob } from "../postgres-job";
import { updateRunMessage } from "../threads/end-message";
import { writeReceipts } from "../usage/write-receipts";

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
	if (writer !== undefined) await assertFences(transaction, [...events, ...states]);
	await saveStates(transaction, [...states, ...listPauses(events)]);
	if (events.length > 0) {
		await insertEvents(transaction, events);
		for (const { runId, pause } of events)
			if (pause !== undefined) await addApprovals(transaction, runId, pause);
		await updateRuns(transaction, [...listLastEvents(events)]);
		await updateTasks(transaction, events);
		for (const event of events) await updateRunMessage(transaction, event);
	}
	if (receipts.length > 0) await writeReceipts(transaction, receipts);
	if (writer !== undefined && events.length > 0) await notifySettled(transaction, writer, events);
};

async function insertEvents(
	transaction: Transaction<WorkspaceTables>,
	events: readonly LoggedEvent[],
): Promise<void> {
	const columns = [
		sql`${events.map(({ runId }) => runId)}::text[]`,
		sql`${events.map(({ seq }) => seq)}::bigint[]`,
		sql`${events.map(({ json }) => json)}::text[]`,
	];
	await sql`
		INSERT INTO run_events (run_id, seq, event) SELECT * FROM unnest(${sql.join(columns)})
		ON CONFLICT DO NOTHING`.execute(transaction);
}

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

async function updateRuns(
	transaction: Transaction<WorkspaceTables>,
	events: readonly LoggedEvent[],
): Promise<void> {
	const columns = [
		sql`${events.map(({ runId }) => runId)}::text[]`,
		sql`${events.map(({ seq }) => seq)}::bigint[]`,
		sql`${events.map(({ status = null }) => status)}::text[]`,
		sql`${events.map(({ endedAt = null }) => endedAt)}::bigint[]`,
	];
	await sql`
		UPDATE runs SET
			last_seq = greatest(runs.last_seq, change.seq),
			status = coalesce(change.status, runs.status),
			ended_at = coalesce(change.ended_at, runs.ended_at)
		FROM unnest(${sql.join(columns)}) AS change (run_id, seq, status, ended_at)
		WHERE runs.id = change.run_id AND ${ownRows("runs")}`.execute(transaction);
	const ended = events.flatMap(({ runId, endedAt }) => (endedAt === undefined ? [] : runId));
	if (ended.length > 0) await transaction.deleteFrom("run_states").where("run_id", "in", ended).execute();
}

/** Notes when the status of tasks has changed last. */
async function updateTasks(
	transaction: Transaction<WorkspaceTables>,
	events: readonly LoggedEvent[],
): Promise<void> {
	const times = new Map<string, number>();
	for (const { runId, statusAt, endedAt = statusAt } of events)
		if (endedAt !== undefined) times.set(runId, endedAt);
	for (const [runId, status_at] of times)
		await transaction.updateTable("a2a_tasks").set({ status_at }).where("run_id", "=", runId).execute();
}
