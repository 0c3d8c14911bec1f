import { type LoggedEvent, RunsLostError } from "@stemma/runs";
import { type RawBuilder, sql, type Transaction } from "kysely";
import { listLastEvents } from "../../repositories/runs/last-events";
import type { WorkspaceTables } from "../../workspace-tables";
import { deleteRunClaims, type FencedWrite, selectLostRuns } from "../claims/fenced-append";
import { ownRows } from "../own-rows-plugin";

/** Events, and the claims of their runs. */
interface StoredBatch {
	readonly events: readonly LoggedEvent[];
	/** Writes whose claims must still be the current ones. Left out: there are no claims. */
	readonly fenced?: readonly FencedWrite[] | undefined;
	/** Runs that need no claim any more. */
	readonly settled: readonly string[];
}

/**
 * Stores events and what they change of their runs, in one statement: most batches are a piece of text, for which each further
 * statement would cost as much as this one. What is there already is left.
 *
 * @throws RunsLostError where another instance has claimed runs of the batch since; the transaction must not be committed then.
 */
export async function storeEvents(
	transaction: Transaction<WorkspaceTables>,
	{ events, fenced = [], settled }: StoredBatch,
): Promise<void> {
	// Receipts of questions come without any.
	if (events.length === 0 && fenced.length === 0) return;
	const last = [...listLastEvents(events)];
	const ended = last.filter(({ endedAt }) => endedAt !== undefined).map(({ runId }) => runId);
	const times = listStatusTimes(events);
	const changes = [
		insertEvents(events),
		updateRuns(last),
		...(ended.length > 0 ? [deleteStates(ended)] : []),
		...(times.size > 0 ? [updateTasks(times)] : []),
		...(settled.length > 0 ? [deleteRunClaims(settled)] : []),
	].map((change, index) => sql`${sql.raw(`change_${index}`)} AS (${change})`);
	const { rows } = await sql<{ id: string }>`WITH ${sql.join(changes)} ${selectLostRuns(fenced)}`.execute(
		transaction,
	);
	if (rows.length > 0) throw new RunsLostError(rows.map(({ id }) => id));
}

function insertEvents(events: readonly LoggedEvent[]): RawBuilder<unknown> {
	const columns = [
		sql`${events.map(({ runId }) => runId)}::text[]`,
		sql`${events.map(({ seq }) => seq)}::bigint[]`,
		sql`${events.map(({ json }) => json)}::text[]`,
	];
	return sql`
		INSERT INTO run_events (run_id, seq, event) SELECT * FROM unnest(${sql.join(columns)})
		ON CONFLICT DO NOTHING`;
}

function updateRuns(last: readonly LoggedEvent[]): RawBuilder<unknown> {
	const columns = [
		sql`${last.map(({ runId }) => runId)}::text[]`,
		sql`${last.map(({ seq }) => seq)}::bigint[]`,
		sql`${last.map(({ status = null }) => status)}::text[]`,
		sql`${last.map(({ endedAt = null }) => endedAt)}::bigint[]`,
	];
	return sql`
		UPDATE runs SET
			last_seq = greatest(runs.last_seq, change.seq),
			status = coalesce(change.status, runs.status),
			ended_at = coalesce(change.ended_at, runs.ended_at)
		FROM unnest(${sql.join(columns)}) AS change (run_id, seq, status, ended_at)
		WHERE runs.id = change.run_id AND ${ownRows("runs")}`;
}

const deleteStates = (runIds: readonly string[]): RawBuilder<unknown> => sql`
	DELETE FROM run_states WHERE run_id = ANY(${runIds}::text[]) AND ${ownRows("run_states")}`;

/** Times at which the status of tasks has changed last, by their runs. */
function listStatusTimes(events: readonly LoggedEvent[]): ReadonlyMap<string, number> {
	const times = new Map<string, number>();
	for (const { runId, statusAt, endedAt = statusAt } of events)
		if (endedAt !== undefined) times.set(runId, endedAt);
	return times;
}

const updateTasks = (times: ReadonlyMap<string, number>): RawBuilder<unknown> => sql`
	UPDATE a2a_tasks SET status_at = change.status_at
	FROM unnest(${[...times.keys()]}::text[], ${[...times.values()]}::bigint[]) AS change (run_id, status_at)
	WHERE a2a_tasks.run_id = change.run_id AND ${ownRows("a2a_tasks")}`;
