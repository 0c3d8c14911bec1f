import type { ApprovalDecision, RunError } from "@stemma/core";
import type { RunStore, SavedState } from "../store/run-store";
import type { ActiveRun } from "./active-run";
import { ActiveRuns, type CloseOptions } from "./active-runs";
import { KeyedMutex } from "./keyed-mutex";
import type { RunEnd } from "./terminal-event";

/** Run that waits for decisions, as it was when it was found. */
export interface PausedRun {
	/** Sequence number of its last event, which is its pause: another process may resume it, and it may pause again. */
	readonly lastSeq: number;
}

/** Place that keeps runs, with all that differs between such places. `Paused` is a run that waits for decisions. */
export interface LifecycleHost<Paused extends PausedRun> {
	/** Finds a run that waits for decisions. */
	findPaused(runId: string): Promise<Paused | undefined>;
	/** Lists the decisions on open approvals of a paused run. */
	listDecisions(paused: Paused): Promise<readonly ApprovalDecision[]>;
	/** Keeps room for a paused run that is about to be resumed. Rejects where there is none. */
	acquire(paused: Paused): void | Promise<void>;
	/**
	 * Claims a paused run, to resume it, as `RunStore.claimPaused`, which is the default. Rejects where other processes have
	 * taken the room since: the run stays paused with what was decided.
	 */
	claim?(paused: Paused): Promise<boolean>;
	/** Gives the room back, since the run was not resumed. */
	release(runId: string): void;
	/** Ends a paused run that was claimed and is not resumed; resolves once that is stored. Never rejects. */
	endPaused(paused: Paused, end: RunEnd): Promise<void>;
	/** Tells whether what failed may work later, such as a read of a store that cannot be reached. Default: nothing may. */
	isTemporary?(error: unknown): boolean;
	/** Converts the error with which a run could not be resumed to the error of the run. */
	toRunError(error: unknown): RunError;
	/**
	 * Asks the process in which the run is in progress to cancel it; resolves once it has ended, or where none has it. Left out
	 * for a store of one process.
	 */
	cancelElsewhere?(runId: string): Promise<void>;
}

/** Steps of deciding on approvals of a run. */
export interface DecideSteps<Paused extends PausedRun> {
	/** Records what is decided now, and lists it. What it throws is thrown: nothing was decided then. */
	record(): Promise<readonly ApprovalDecision[]>;
	/**
	 * Prepares to resume a paused run. The function that it returns opens the run and adds it to the active ones; it is called
	 * once the run is claimed. What either of them throws ends the run as failed; what `prepare` throws and is temporary is
	 * thrown, and the run stays paused.
	 */
	prepare(paused: Paused, saved: SavedState, decisions: readonly ApprovalDecision[]): Promise<() => void>;
}

/** Outcome of resuming a paused run. It has changed where another process has claimed it since it was found. */
type Resumption = "resumed" | "undecided" | "ended" | "changed";

const nothing = async (): Promise<readonly ApprovalDecision[]> => [];

/** Life of the runs of one store: all that comes to a run from outside of it, one thing after the other. */
export class RunLifecycle<Run extends ActiveRun, Paused extends PausedRun> {
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

	async #decide(runId: string, { record, prepare }: DecideSteps<Paused>): Promise<void> {
		const run = this.active.get(runId);
		if (run === undefined) return this.#resume(runId, { record, prepare });
		const decisions = await record();
		if (decisions.filter((decision) => !run.decide(decision)).length === 0) return;
		// It has paused at this moment.
		await run.settled();
		await this.#resume(runId, { record: nothing, prepare });
	}

	/**
	 * Hands decisions that another process has recorded to a run in progress here; one that is about to be resumed gets them once
	 * it is. Nothing happens to any other.
	 */
	deliver(runId: string, list: () => Promise<readonly ApprovalDecision[]>): Promise<void> {
		return this.#mutex.runExclusive(runId, async () => {
			const run = this.active.get(runId);
			if (run !== undefined) for (const decision of await list()) run.decide(decision);
		});
	}

	async #resume(runId: string, { record, prepare }: DecideSteps<Paused>): Promise<void> {
		const paused = await this.#host.findPaused(runId);
		if (paused === undefined) {
			const decisions = await record();
			// Another process may have paused it before the decisions were recorded.
			if (decisions.length > 0 && this.#isShared && (await this.#host.findPaused(runId)))
				await this.#resume(runId, { record: nothing, prepare });
			return;
		}
		await this.#host.acquire(paused);
		let outcome: Resumption = "undecided";
		try {
			await record();
			outcome = await this.#openPaused(runId, paused, prepare);
		} finally {
			if (outcome !== "resumed") this.#host.release(runId);
		}
		if (outcome === "changed" && this.#isShared) await this.#resume(runId, { record: nothing, prepare });
	}

	/** Resumes a run with what was decided. What may fail for a while comes before the claim: behind it, the run goes on or ends. */
	async #openPaused(
		runId: string,
		paused: Paused,
		prepare: DecideSteps<Paused>["prepare"],
	): Promise<Resumption> {
		const decisions = await this.#host.listDecisions(paused);
		if (decisions.length === 0) return "undecided";
		const open = await this.#prepare(runId, (saved) => prepare(paused, saved, decisions));
		if (!(await this.#claim(runId, paused))) return "changed";
		try {
			open();
			return "resumed";
		} catch (error) {
			await this.#host.endPaused(paused, { status: "failed", error: this.#host.toRunError(error) });
			return "ended";
		}
	}

	#claim(runId: string, paused: Paused): Promise<boolean> {
		return this.#host.claim?.(paused) ?? this.#store.claimPaused(runId, paused.lastSeq);
	}

	/** Returns what opens the run; it throws what the preparation has thrown, unless that is temporary. */
	async #prepare(runId: string, prepare: (saved: SavedState) => Promise<() => void>): Promise<() => void> {
		try {
			const saved = await this.#store.loadState(runId);
			if (saved === undefined) throw new Error("A paused run has no state.");
			return await prepare(saved);
		} catch (error) {
			if (this.#host.isTemporary?.(error)) throw error;
			return () => {
				throw error;
			};
		}
	}

	/** Cancels a run that is in progress or paused; resolves once its end is stored. */
	async cancel(runId: string): Promise<void> {
		this.active.get(runId)?.cancel();
		while (await this.#mutex.runExclusive(runId, () => this.#cancelHere(runId))) {
			// Others have their turn meanwhile: this process may go on with the run itself, where the other one ends.
			await this.#host.cancelElsewhere?.(runId);
			if ((await this.#host.findPaused(runId)) === undefined) return;
		}
	}

	/** Cancels a run of this process, or one that is paused. Returns whether another process may have it. */
	async #cancelHere(runId: string): Promise<boolean> {
		const run = this.active.get(runId);
		run?.cancel();
		await run?.settled();
		if (run?.result !== undefined) return false;
		const paused = await this.#host.findPaused(runId);
		if (paused !== undefined && (await this.#store.claimPaused(runId, paused.lastSeq))) {
			await this.#host.endPaused(paused, { status: "cancelled" });
			return false;
		}
		return this.#isShared;
	}

	get #isShared(): boolean {
		return this.#host.cancelElsewhere !== undefined;
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
