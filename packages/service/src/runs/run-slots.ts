import { DomainError } from "../errors/domain-error";
import type { NewRun } from "./repositories/run-repository";
import type { RunCounts, RunsElsewhere } from "./runs-elsewhere";
import type { StoredRun } from "./stored-run";

/**
 * Limit on concurrent runs, in total and for each caller. A new run needs room among all runs, so that nobody queues
 * without limit. A paused run that goes on, and a run that another run needs, need room only among those that do not wait
 * for their turn in a thread: these may wait for nothing but their end. There are never more than twice as many runs as the
 * limit. Instances that share a store have one limit.
 */
export interface RunSlots {
	/**
	 * Keeps room for a new run until it is left; one that answers in a thread waits.
	 *
	 * @throws DomainError `too_many_runs`.
	 */
	acquire(
		run: Pick<NewRun, "id" | "started_by" | "turn" | "within">,
		elsewhere?: RunsElsewhere | undefined,
	): void;
	/** Keeps room for a paused run that goes on, or checks that it still has it. @throws DomainError `too_many_runs`. */
	acquireResumed(run: Pick<StoredRun, "id" | "started_by">, elsewhere?: RunsElsewhere | undefined): void;
	/** Notes that a run does not wait for its turn any more. */
	begin(runId: string): void;
	release(runId: string): void;
}

/** Maximum share of one client key in all concurrent runs, so that the key of one page cannot use up all slots. */
const CLIENT_KEY_SHARE = 0.25;

const isClientKey = (caller: string): boolean => caller.startsWith("ck_");

const NONE: RunsElsewhere = new Map();

interface Slot {
	readonly caller: string;
	readonly isQueued: boolean;
}

export function createRunSlots(count: number): RunSlots {
	/** Slot of each run that is active, about to start, or waits for its turn. */
	const slots = new Map<string, Slot>();
	/** @param kind - runs that count. */
	function assertFreeSlot(runId: string, runCaller: string, kind: keyof RunCounts, elsewhere = NONE): void {
		const taken = [...slots].filter(([id, { isQueued }]) => id !== runId && (kind === "all" || !isQueued));
		const callerCount =
			taken.filter(([, { caller }]) => caller === runCaller).length + (elsewhere.get(runCaller)?.[kind] ?? 0);
		const total = [...elsewhere.values()].reduce((sum, counts) => sum + counts[kind], taken.length);
		const max = isClientKey(runCaller) ? Math.ceil(count * CLIENT_KEY_SHARE) : count;
		if (total >= count || callerCount >= max) throw tooManyRuns(Math.min(max, count));
	}
	return {
		acquire({ id, started_by: caller, turn, within }, elsewhere) {
			assertFreeSlot(id, caller, within === null ? "all" : "started", elsewhere);
			slots.set(id, { caller, isQueued: turn !== undefined });
		},
		acquireResumed({ id, started_by: caller }, elsewhere) {
			assertFreeSlot(id, caller, "started", elsewhere);
			slots.set(id, { caller, isQueued: false });
		},
		begin(runId) {
			const slot = slots.get(runId);
			if (slot !== undefined) slots.set(runId, { ...slot, isQueued: false });
		},
		release: (runId) => void slots.delete(runId),
	};
}

const tooManyRuns = (max: number): DomainError =>
	new DomainError("too_many_runs", `${max} runs are active, the maximum at the same time.`, {
		hint: "Try again when one has ended, or raise limits.concurrent_runs.",
		retryAfterSeconds: 1,
	});
