import { clock } from "@stemma/core/internal";
import { parseEvent, type RunLog } from "@stemma/runs";
import type { Database } from "../store/database";
import type { WorkspaceTables } from "../store/workspace-tables";
import { toInterruptedEvent } from "./events/interrupted-event";
import { readEvents } from "./events/sqlite-run-store";
import { readReceipts } from "./run-rows";
import { toLoggedEvent } from "./workspace-run";

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
		log.append(toLoggedEvent(toInterruptedEvent(id, events.map(parseEvent), receipt, clock.now())));
	}
	await log.flushed();
	return interrupted.length;
}
