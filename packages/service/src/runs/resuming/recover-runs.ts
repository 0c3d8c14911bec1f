import { clock } from "@stemma/core/internal";
import { type LoggedEvent, parseEvent, type RunEnd, type RunLog } from "@stemma/runs";
import { toInterruptedEvent } from "../events/interrupted-event";
import type { RunRepository } from "../repositories/run-repository";
import { toLoggedEvent } from "../workspace-run";

/**
 * Ends the runs whose process has ended before them; those that wait for a person wait on. Gives how many have ended. Where
 * a run cannot be read, none has.
 *
 * @param isResumable - checks for a run that is left as it is. Default: none is.
 */
export async function recoverRuns(
	repository: RunRepository,
	log: RunLog,
	isResumable: (runId: string) => Promise<boolean> = async () => false,
): Promise<number> {
	const ends: LoggedEvent[] = [];
	for (const id of await repository.claimInterrupted())
		if (!(await isResumable(id))) ends.push(await toInterruptedEnd(repository, id));
	for (const end of ends) log.append(end);
	await log.flushed();
	return ends.length;
}

/** Terminal event of a run that is not resumed. @param end - default: it was interrupted. */
export async function toInterruptedEnd(
	repository: Pick<RunRepository, "readEvents" | "listReceipts">,
	id: string,
	end?: RunEnd,
): Promise<LoggedEvent> {
	const [events, receipt] = await Promise.all([
		repository.readEvents(id, 0, Number.MAX_SAFE_INTEGER),
		repository.listReceipts(id),
	]);
	return toLoggedEvent(toInterruptedEvent(id, events.map(parseEvent), receipt, clock.now(), end));
}
