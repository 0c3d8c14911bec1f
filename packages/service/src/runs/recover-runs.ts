import { clock } from "@stemma/core/internal";
import type { Database } from "../store/database";
import type { WorkspaceTables } from "../store/workspace-tables";
import { toInterruptedEvent } from "./events/interrupted-event";
import type { RunLog } from "./events/run-log";
import { readEvents, readReceipts } from "./run-rows";

/** Ends the runs that a crash has cut off; those that wait for a person wait on. Gives how many have ended. */
export async function recoverRuns(database: Database<WorkspaceTables>, log: RunLog): Promise<number> {
	const interrupted = await database.read
		.selectFrom("runs")
		.select("id")
		.where("status", "=", "running")
		.execute();
	for (const { id } of interrupted) {
		const [events, receipt] = await Promise.all([
			readEvents(database, id, 0, Number.MAX_SAFE_INTEGER),
			readReceipts(database, id),
		]);
		const now = clock.now();
		const event = toInterruptedEvent(id, events, receipt, now);
		log.append({ runId: id, seq: event.seq, event: JSON.stringify(event), status: "failed", endedAt: now });
	}
	await log.flushed();
	return interrupted.length;
}
