import { ApiError } from "../http/api-error";
import type { RunRow } from "./run-rows";

/** How many runs are under way at once, and whose they are. */
export interface Rooms {
	/** Keeps room for a run until it is left. @throws ApiError `too_many_runs`. */
	take(run: Pick<RunRow, "id" | "started_by">): void;
	leave(runId: string): void;
}

/** Of all runs at once: one page's key must not keep everyone else out. */
const CLIENT_KEY_SHARE = 0.25;

const isClientKey = (caller: string): boolean => caller.startsWith("ck_");

export function createRooms(count: number): Rooms {
	/** Who started each run that is under way or about to be. */
	const rooms = new Map<string, string>();
	return {
		take({ id, started_by }) {
			const ofCaller = [...rooms.values()].filter((caller) => caller === started_by).length;
			const most = isClientKey(started_by) ? Math.ceil(count * CLIENT_KEY_SHARE) : count;
			if (rooms.size >= count || ofCaller >= most) throw tooManyRuns(Math.min(most, count));
			rooms.set(id, started_by);
		},
		leave: (runId) => void rooms.delete(runId),
	};
}

const tooManyRuns = (most: number): ApiError =>
	new ApiError(429, "too_many_runs", `${most} runs are under way, and no more may be at once.`, {
		hint: "Try again when one has ended, or raise limits.concurrent_runs.",
		retryAfterSeconds: 1,
	});
