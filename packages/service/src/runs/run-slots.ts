import { DomainError } from "../errors/domain-error";
import type { StoredRun } from "./stored-run";

/** Limit on concurrent runs, in total and for each caller. */
export interface RunSlots {
	/** Keeps room for a run until it is left. @throws DomainError `too_many_runs`. */
	acquire(run: Pick<StoredRun, "id" | "started_by">): void;
	release(runId: string): void;
}

/** Maximum share of one client key in all concurrent runs, so that the key of one page cannot use up all slots. */
const CLIENT_KEY_SHARE = 0.25;

const isClientKey = (caller: string): boolean => caller.startsWith("ck_");

export function createRunSlots(count: number): RunSlots {
	/** Caller of each run that is active or about to start. */
	const slots = new Map<string, string>();
	return {
		acquire({ id, started_by }) {
			const callerCount = [...slots.values()].filter((caller) => caller === started_by).length;
			const max = isClientKey(started_by) ? Math.ceil(count * CLIENT_KEY_SHARE) : count;
			if (slots.size >= count || callerCount >= max) throw tooManyRuns(Math.min(max, count));
			slots.set(id, started_by);
		},
		release: (runId) => void slots.delete(runId),
	};
}

const tooManyRuns = (max: number): DomainError =>
	new DomainError("too_many_runs", `${max} runs are active, the maximum at the same time.`, {
		hint: "Try again when one has ended, or raise limits.concurrent_runs.",
		retryAfterSeconds: 1,
	});
