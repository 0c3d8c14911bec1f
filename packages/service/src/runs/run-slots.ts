import { DomainError } from "../errors/domain-error";
import type { NewRun } from "./repositories/run-repository";
import type { StoredRun } from "./stored-run";

/**
 * Limit on concurrent runs, in total and for each caller. A new run needs room among all runs, so that nobody queues
 * without limit. A paused run that goes on, and a run that another run needs, need room only among those that do not wait
 * for their turn in a thread: these may wait for nothing but their end. There are never more than twice as many runs as the
 * limit; on several instances that share a store, runs that go on or that others need count on their own instance alone.
 */
export interface RunSlots {
	/**
	 * Keeps room for a new run until it is left; one that answers in a thread waits.
	 *
	 * @param elsewhere - see {@link AdmitRun}. They count where no other run needs this one.
	 * @throws DomainError `too_many_runs`.
	 */
	acquire(
		run: Pick<NewRun, "id" | "started_by" | "turn" | "within">,
		elsewhere?: ReadonlyMap<string, number>,
	): void;
	/** Keeps room for a paused run that goes on. @throws DomainError `too_many_runs`. */
	acquireResumed(run: Pick<StoredRun, "id" | "started_by">): void;
	/** Notes that a run does not wait for its turn any more. */
	begin(runId: string): void;
	release(runId: string): void;
}

/** Maximum share of one client key in all concurrent runs, so that the key of one page cannot use up all slots. */
const CLIENT_KEY_SHARE = 0.25;

const isClientKey = (caller: string): boolean => caller.startsWith("ck_");

const NONE: ReadonlyMap<string, number> = new Map();

interface Slot {
	readonly caller: string;
	readonly isQueued: boolean;
}

export function createRunSlots(count: number): RunSlots {
	/** Slot of each run that is active, about to start, or waits for its turn. */
	const slots = new Map<string, Slot>();
	const listStarted = (): readonly Slot[] => [...slots.values()].filter(({ isQueued }) => !isQueued);
	function assertFreeSlot(taken: readonly Slot[], runCaller: string, elsewhere = NONE): void {
		const callerCount =
			taken.filter(({ caller }) => caller === runCaller).length + (elsewhere.get(runCaller) ?? 0);
		const total = [...elsewhere.values()].reduce((sum, runs) => sum + runs, taken.length);
		const max = isClientKey(runCaller) ? Math.ceil(count * CLIENT_KEY_SHARE) : count;
		if (total >= count || callerCount >= max) throw tooManyRuns(Math.min(max, count));
	}
	return {
		acquire({ id, started_by: caller, turn, within }, elsewhere) {
			if (within === null) assertFreeSlot([...slots.values()], caller, elsewhere);
			else assertFreeSlot(listStarted(), caller);
			slots.set(id, { caller, isQueued: turn !== undefined });
		},
		acquireResumed({ id, started_by: caller }) {
			assertFreeSlot(listStarted(), caller);
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
