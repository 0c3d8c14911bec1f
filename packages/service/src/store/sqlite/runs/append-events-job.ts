import type { LoggedEvent, LoggedPause, RunBatch, SavedState } from "@stemma/runs";
import { inTransaction } from "../../in-transaction";
import type { JobFile } from "../../job-file";
import { listLastEvents } from "../../repositories/runs/last-events";
import { updateRunMessage } from "../threads/end-message";
import { writeReceipt } from "../usage/write-receipt";

/**
 * Writes a batch in one transaction: nobody sees that a run waits before it can be continued. What is there already is
 * left, and not counted twice: a batch may be tried again.
 */
export const appendEvents = (file: JobFile, { events, receipts, states = [] }: RunBatch): void =>
	inTransaction(file, () => {
		insertEvents(file, events);
		for (const { runId, ...state } of states) saveState(file, runId, state);
		updateRuns(file, events);
		for (const event of events) updateRunMessage(file, event);
		for (const receipt of receipts) writeReceipt(file, receipt);
	});

function insertEvents(file: JobFile, events: readonly LoggedEvent[]): void {
	const insert = file.prepare("INSERT OR IGNORE INTO run_events (run_id, seq, event) VALUES (?, ?, ?)");
	for (const { runId, seq, json, pause } of events) {
		insert.run(runId, seq, json);
		if (pause !== undefined) savePause(file, runId, pause);
	}
}

function updateRuns({ prepare }: JobFile, events: readonly LoggedEvent[]): void {
	const advance = prepare(
		"UPDATE runs SET last_seq = max(last_seq, ?), status = coalesce(?, status), ended_at = coalesce(?, ended_at) WHERE id = ?",
	);
	for (const { runId, seq, status, endedAt } of listLastEvents(events)) {
		advance.run(seq, status ?? null, endedAt ?? null, runId);
		if (endedAt !== undefined) prepare("DELETE FROM run_states WHERE run_id = ?").run(runId);
	}
	const updateTask = prepare("UPDATE a2a_tasks SET status_at = ? WHERE run_id = ?");
	for (const { runId, statusAt, endedAt = statusAt } of events)
		if (endedAt !== undefined) updateTask.run(endedAt, runId);
}

/**
 * Saves a pause. Decisions that were made still apply; an approval that is still open is listed again with each pause.
 */
function savePause(file: JobFile, runId: string, { approvals, ...state }: LoggedPause): void {
	saveState(file, runId, state);
	const insert = file.prepare(
		"INSERT OR IGNORE INTO approvals (run_id, id, node, tool, arguments, asked_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
	);
	for (const { id, node, tool, arguments: json, askedAt, expiresAt } of approvals)
		insert.run(runId, id, node, tool, json, askedAt, expiresAt);
}

const saveState = ({ prepare }: JobFile, runId: string, { state, resumeContext }: SavedState): void =>
	void prepare(
		`INSERT INTO run_states (run_id, state, setting) VALUES (?, ?, ?)
		ON CONFLICT (run_id) DO UPDATE SET state = excluded.state, setting = excluded.setting`,
	).run(runId, state, resumeContext);
