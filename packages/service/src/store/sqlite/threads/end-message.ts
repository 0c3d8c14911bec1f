import type { LoggedEvent } from "@stemma/runs";
import type { MessageOutcome } from "../../../threads/stored-thread";
import type { JobFile } from "../../job-file";
import { readOutcome, toOutcomeColumns } from "../../repositories/threads/message-outcome";

/** Writes what an event of a run changes of the message that the run answers, in the transaction that stores the event. */
export function updateRunMessage(file: JobFile, event: LoggedEvent): void {
	if (!event.type.startsWith("run.")) return;
	const message = file
		.prepare<{ id: string }>("SELECT id FROM thread_messages WHERE run_id = ? AND ended_at IS NULL")
		.get(event.runId);
	if (message === undefined) return;
	if (event.endedAt !== undefined) endMessage(file, message.id, readOutcome(event), event.endedAt);
	else
		file
			.prepare("UPDATE thread_messages SET status = ? WHERE id = ?")
			.run(event.status === "paused" ? "waiting" : "in_progress", message.id);
}

/** Ends an answer, once. Returns false where it has ended before, or is gone. */
export function endMessage(file: JobFile, id: string, outcome: MessageOutcome, now: number): boolean {
	const { text, status, citations, refused, receipt, error } = toOutcomeColumns(outcome);
	const { changes } = file
		.prepare(
			`UPDATE thread_messages SET text = ?, status = ?, citations = ?, refused = ?, receipt = ?, error = ?, ended_at = ?
			WHERE id = ? AND ended_at IS NULL`,
		)
		.run(text, status, citations, refused, receipt, error, now, id);
	if (changes === 0) return false;
	file
		.prepare(
			`UPDATE threads SET characters = characters + ?, updated_at = max(updated_at, ?)
			WHERE id = (SELECT thread_id FROM thread_messages WHERE id = ?)`,
		)
		.run(text.length, now, id);
	return true;
}
