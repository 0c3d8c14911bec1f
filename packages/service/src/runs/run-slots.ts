import { ApiError } from "../http/api-error";
import type { RunRow } from "./run-rows";

/** How many runs are under way at once, and whose they are. */
export interface RunSlots {
	/** Keeps room for a run until it is left. @throws ApiError `too_many_runs`. */
	acquire(run: Pick<RunRow, "id" | "started_by">): void;
	release(runId: string): void;
}

/** Of all runs at once: one page's key must not keep everyone else out. */
const CLIENT_KEY_SHARE = 0.25;

const isClientKey = (caller: string): boolean => caller.startsWith("ck_");

export function createRunSlots(count: number): RunSlots {
	/** Who started each run that is under way or about to be. */
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

const tooManyRuns = (max: number): ApiError =>
	new ApiError(429, "too_many_runs", `${max} runs are under way, and no more may be at once.`, {
		hint: "Try again when one has ended, or raise limits.concurrent_runs.",
		retryAfterSeconds: 1,
	});
