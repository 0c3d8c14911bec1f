import { clock } from "@stemma/core/internal";
import { parseEvent, type RunLog } from "@stemma/runs";
import { toInterruptedEvent } from "./events/interrupted-event";
import type { RunRepository } from "./repositories/run-repository";
import { toLoggedEvent } from "./workspace-run";

/** Ends the runs whose process has ended before them; those that wait for a person wait on. Gives how many have ended. */
export async function recoverRuns(repository: RunRepository, log: RunLog): Promise<number> {
	const interrupted = await repository.claimInterrupted();
	for (const id of interrupted) {
		const [events, receipt] = await Promise.all([
			repository.readEvents(id, 0, Number.MAX_SAFE_INTEGER),
			repository.listReceipts(id),
		]);
		log.append(toLoggedEvent(toInterruptedEvent(id, events.map(parseEvent), receipt, clock.now())));
	}
	await log.flushed();
	return interrupted.length;
}
