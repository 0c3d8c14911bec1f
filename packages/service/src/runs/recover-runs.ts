import { clock } from "@stemma/core/internal";
import { type LoggedEvent, parseEvent, type RunLog } from "@stemma/runs";
import { toInterruptedEvent } from "./events/interrupted-event";
import type { RunRepository } from "./repositories/run-repository";
import { toLoggedEvent } from "./workspace-run";

/**
 * Ends the runs whose process has ended before them; those that wait for a person wait on. Gives how many have ended. Where
 * a run cannot be read, none has.
 */
export async function recoverRuns(repository: RunRepository, log: RunLog): Promise<number> {
	const interrupted = await repository.claimInterrupted();
	const ends: LoggedEvent[] = [];
	for (const id of interrupted) ends.push(await toInterruptedEnd(repository, id));
	for (const end of ends) log.append(end);
	await log.flushed();
	return interrupted.length;
}

async function toInterruptedEnd(repository: RunRepository, id: string): Promise<LoggedEvent> {
	const [events, receipt] = await Promise.all([
		repository.readEvents(id, 0, Number.MAX_SAFE_INTEGER),
		repository.listReceipts(id),
	]);
	return toLoggedEvent(toInterruptedEvent(id, events.map(parseEvent), receipt, clock.now()));
}
