import type { ApprovalDecision, RunError } from "@stemma/core";
import type { RunStore, SavedState } from "../store/run-store";
import type { ActiveRun } from "./active-run";
import { ActiveRuns, type CloseOptions } from "./active-runs";
import { KeyedMutex } from "./keyed-mutex";
import type { RunEnd } from "./terminal-event";

/** Place that keeps runs, with all that differs between such places. `Paused` is a run that waits for decisions. */
export interface LifecycleHost<Paused> {
	/** Finds a run that waits for decisions. */
	findPaused(runId: string): Promise<Paused | undefined>;
	/** Lists the decisions on open approvals of a paused run. */
	listDecisions(paused: Paused): Promise<readonly ApprovalDecision[]>;
	/** Keeps room for a paused run that is about to be resumed. @throws Error where there is none. */
	acquire(paused: Paused): void;
	/** Gives the room back, since the run was not resumed. */
	release(runId: string): void;
	/** Ends a paused run that was claimed and is not resumed; resolves once that is stored. */
	endPaused(paused: Paused, end: RunEnd): Promise<void>;
	/** Converts the error with which a run could not be resumed to the error of the run. */
	toRunError(error: unknown): RunError;
	/**
	 * Asks the process in which the run is in progress to cancel it; resolves once it has ended, or where none has it. Left out
	 * for a store of one process.
	 */
	cancelElsewhere?(runId: string): Promise<void>;
}

/** Steps of deciding on approvals of a run. */
export interface DecideSteps<Paused> {
	/** Records what is decided now, and lists it. What it throws is thrown: nothing was decided then. */
	record(): Promise<readonly ApprovalDecision[]>;
	/** Opens a paused run again, once it was claimed, and adds it to the active ones. What it throws ends the run as failed. */
	open(paused: Paused, saved: SavedState, decisions: readonly ApprovalDecision[]): Promise<void>;
}

/** Life of the runs of one store: all that comes to a run from outside of it, one thing after the other. */
export class RunLifecycle<Run extends ActiveRun, Paused> {
	readonly active: ActiveRuns<Run>;
	/** True where no new run may start. */
	isClosing = false;
	readonly #store: RunStore;
	readonly #host: LifecycleHost<Paused>;
	readonly #mutex = new KeyedMutex();

	constructor(store: RunStore, host: LifecycleHost<Paused>) {
		this.#store = store;
		this.#host = host;
		this.active = new ActiveRuns(store);
	}

	/** Returns whether no run is in progress, and nothing is about to happen to one. */
	get isIdle(): boolean {
		return this.active.size + this.#mutex.listPending().length === 0;
	}

	/** Starts a run: decisions and cancellations wait until it has begun. */
	start<Started>(runId: string, work: () => Promise<Started>): Promise<Started> {
		return this.#mutex.runExclusive(runId, work);
	}

	/**
	 * Decides on approvals of a run. One in progress gets the decisions; one that is paused is resumed with all that it does
	 * not know yet, and stays paused where nothing was decided. Once this resolves, the run is claimed: it goes on once.
	 *
	 * @throws what `record` and `acquire` throw: nothing was decided then.
	 */
	decide(runId: string, steps: DecideSteps<Paused>): Promise<void> {
		return this.#mutex.runExclusive(runId, () => this.#decide(runId, steps));
	}

	async #decide(runId: string, { record, open }: DecideSteps<Paused>): Promise<void> {
		const run = this.active.get(runId);
		if (run === undefined) return this.#resume(runId, { record, open });
		const decisions = await record();
		if (decisions.filter((decision) => !run.decide(decision)).length === 0) return;
		// It has paused at this moment.
		await run.settled();
		await this.#resume(runId, { record: async () => [], open });
	}

	async #resume(runId: string, { record, open }: DecideSteps<Paused>): Promise<void> {
		const paused = await this.#host.findPaused(runId);
		if (paused === undefined) {
			const decisions = await record();
			// Another process may have paused it before the decisions were recorded.
			if (
				decisions.length > 0 &&
				this.#host.cancelElsewhere !== undefined &&
				(await this.#host.findPaused(runId))
			)
				await this.#resume(runId, { record: async () => [], open });
			return;
		}
		this.#host.acquire(paused);
		let isResumed = false;
		try {
			await record();
			isResumed = await this.#openPaused(runId, paused, open);
		} finally {
			if (!isResumed) this.#host.release(runId);
		}
	}

	/** Returns false for a run that stays paused, was claimed before, or has ended since it cannot be resumed. */
	async #openPaused(runId: string, paused: Paused, open: DecideSteps<Paused>["open"]): Promise<boolean> {
		const decisions = await this.#host.listDecisions(paused);
		if (decisions.length === 0 || !(await this.#store.claimPaused(runId))) return false;
		try {
			const saved = await this.#store.loadState(runId);
			if (saved === undefined) throw new Error("A paused run has no state.");
			await open(paused, saved, decisions);
			return true;
		} catch (error) {
			await this.#host.endPaused(paused, { status: "failed", error: this.#host.toRunError(error) });
			return false;
		}
	}

	/** Cancels a run that is in progress or paused; resolves once its end is stored. */
	cancel(runId: string): Promise<void> {
		this.active.get(runId)?.cancel();
		return this.#mutex.runExclusive(runId, async () => {
			const run = this.active.get(runId);
			run?.cancel();
			await run?.settled();
			const paused = await this.#host.findPaused(runId);
			if (paused !== undefined && (await this.#store.claimPaused(runId)))
				await this.#host.endPaused(paused, { status: "cancelled" });
			else if (run?.result === undefined) await this.#host.cancelElsewhere?.(runId);
		});
	}

	/** Lets runs in progress end until the grace is over, then stops them. Those that are paused stay so. */
	async close({
		listPending = () => [],
		...options
	}: Partial<CloseOptions<Run>> & Pick<CloseOptions<Run>, "graceMs" | "stop">): Promise<void> {
		this.isClosing = true;
		await this.active.close({
			...options,
			listPending: () => [...this.#mutex.listPending(), ...listPending()],
		});
	}
}
