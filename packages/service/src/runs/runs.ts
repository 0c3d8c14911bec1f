import type { RunResult } from "@stemma/core";
import { StemmaError } from "@stemma/core/errors";
import {
	EngineRunSegment,
	type EventRecord,
	RunLifecycle,
	RunLog,
	UNWATCHED_TIMEOUT_MS,
	type WatchOptions,
} from "@stemma/runs";
import { DomainError } from "../errors/domain-error";
import { ownClaims, type WorkClaims } from "../store/claims/work-claims";
import { StorageError } from "../store/storage-error";
import { recoverRuns } from "./resuming/recover-runs";
import { findResumableRun } from "./resuming/resumable-run";
import { parseSavedState } from "./resuming/resume-context";
import {
	endInterrupted,
	type ResumeInterruptedOptions,
	resumeInterrupted,
} from "./resuming/resume-interrupted";
import { createRunHost, type PausedStoredRun, type RunHostOptions } from "./run-host";
import { createRun, type InsertRun, type ResumeOptions, type StartRun } from "./run-requests";
import { createRunSlots } from "./run-slots";
import { RunTracker } from "./run-tracker";
import { SharedRuns } from "./shared-runs";
import { openWithFollower, type StartRunOptions, startRun } from "./start-run";
import type { StoredRun } from "./stored-run";
import type { WorkspaceRun } from "./workspace-run";

/** Options of the runs of one workspace. */
export interface RunsOptions extends Omit<RunHostOptions, "slots" | "log" | "cancelElsewhere"> {
	/** Default: the store is of this process alone. */
	readonly claims?: WorkClaims | undefined;
	/** Maximum number of concurrent runs. */
	readonly maxConcurrentRuns: number;
	/** Counts runs that other instances have taken over. */
	readonly countLost?: (count: number) => void;
	/** Time that a run continues without a watcher. */
	readonly unwatchedTimeoutMs?: number;
	/** True where `resumeInterrupted` is called for the runs that `listInterrupted` has. Default false: they end. */
	readonly resumesInterrupted?: boolean;
}

/** Runs of one workspace: those in progress in this process, and those in its store. */
export class Runs {
	/** Takes receipts of calls outside of runs, too. */
	readonly log: RunLog;
	readonly #options: RunsOptions;
	readonly #lifecycle: RunLifecycle<WorkspaceRun, PausedStoredRun>;
	readonly #startOptions: StartRunOptions;
	readonly #resumeOptions: ResumeInterruptedOptions;
	/** Runs that a crash has cut off and that are to be resumed. */
	readonly #interrupted = new Set<string>();
	/** Undefined where the store is of this process alone. */
	readonly #shared: SharedRuns | undefined;

	constructor(options: RunsOptions) {
		const { repository, maxConcurrentRuns, countRunEnd, unwatchedTimeoutMs = UNWATCHED_TIMEOUT_MS } = options;
		const { approvals, onFailure, claims = ownClaims, resumesInterrupted = false } = options;
		const slots = createRunSlots(maxConcurrentRuns);
		this.#options = options;
		this.log = new RunLog(repository, {
			onFailure: options.onFailure,
			onLost: (runIds) => {
				options.countLost?.(runIds.length);
				this.#shared?.abandon(runIds);
			},
			onWritten: (events) => this.#lifecycle.active.feed.publish(events),
			isRetryable: (error) => !(error instanceof StorageError && error.code === "storage_corrupt"),
		});
		const { log } = this;
		const cancelElsewhere = claims.isShared
			? async (runId: string): Promise<void> => this.#shared?.cancelElsewhere(runId)
			: undefined;
		const host = createRunHost({ ...options, slots, log, cancelElsewhere });
		this.#lifecycle = new RunLifecycle(repository, host);
		const lifecycle = this.#lifecycle;
		const { active } = lifecycle;
		const shared = claims.isShared
			? new SharedRuns({ claims, repository, approvals, lifecycle, onFailure })
			: undefined;
		this.#shared = shared;
		const onPaused = shared && ((id: string, result: RunResult) => shared.onPaused(id, result));
		const tracker = new RunTracker({
			active,
			log,
			host,
			countRunEnd,
			onPaused,
			unwatchedTimeoutMs,
			resumesInterrupted,
		});
		this.#startOptions = { repository, slots, log, tracker };
		this.#resumeOptions = { ...this.#startOptions, repository, approvals, lifecycle, host };
	}

	/**
	 * Starts a run, or finds the one that the same request has started. Once this resolves, the run is on the disk and
	 * will end there, whatever happens.
	 *
	 * @param insert - default: the request cannot be sent again.
	 * @throws DomainError `too_many_runs`, `shutting_down`; and what `insert` throws.
	 */
	async start(request: StartRun, insert: InsertRun = this.#options.repository.insert): Promise<StoredRun> {
		if (this.#lifecycle.active.get(request.parentRunId ?? "") === undefined) this.#assertNotStopping();
		const run = createRun(request);
		return this.#lifecycle.start(run.id, () => startRun(run, request, insert, this.#startOptions));
	}

	/**
	 * Resumes a run that waits for a person, with all that was decided and that it does not know yet; one that is under
	 * way gets it. Nothing happens where nothing was decided. Once this resolves, the run is claimed: it goes on once.
	 *
	 * @throws DomainError `too_many_runs`, `shutting_down`: then nothing was decided; and what `decide` throws.
	 */
	resume(runId: string, { decide, prepare, follow }: ResumeOptions): Promise<void> {
		return this.#lifecycle.decide(runId, {
			record: async () => {
				this.#assertNotStopping();
				return decide();
			},
			prepare: async ({ run, result: lastPause }, saved, decisions) => {
				const { state, resumeContext } = parseSavedState(saved);
				const agent = await prepare(resumeContext);
				return () => {
					const stream = openWithFollower(follow?.(run.agent_slug), (onEvent) =>
						agent.resume(state, { decisions, onEvent }),
					);
					const segment = new EngineRunSegment(stream);
					this.#startOptions.tracker.track({ run, segment, resumeContext, lastPause });
				};
			},
		});
	}

	/** The events after a seq as they happen, in batches; see `watchRun`. */
	watch(
		runId: string,
		after: number,
		signal: AbortSignal,
		options?: WatchOptions,
	): AsyncIterable<readonly EventRecord[]> {
		return this.#lifecycle.active.watchEvents(runId, after, signal, options);
	}

	/** Resolves once a run has ended or paused, or when the signal aborts. Whoever waits for it watches it. */
	waitUntilSettled(runId: string, signal: AbortSignal): Promise<void> {
		return this.#lifecycle.active.waitUntilSettled(runId, signal);
	}

	/** Stops a run that is under way or waits for a person; resolves once its end is on the disk. */
	async cancel(runId: string): Promise<void> {
		await this.#lifecycle.cancel(runId);
		if (this.#interrupted.has(runId)) await this.#cancelInterrupted(runId);
		await this.log.flushed();
	}

	/**
	 * Resolves once it is stored what a run in progress here has called: after a crash, nothing of it is called again.
	 *
	 * @throws StemmaError `run_moved` where another instance has claimed the run.
	 */
	async saveState(runId: string): Promise<void> {
		const run = this.#lifecycle.active.get(runId);
		if (run === undefined || this.#options.resumesInterrupted !== true) return;
		run.saveState();
		await this.log.flushed();
		if (run.isAbandoned) throw runMoved(runId);
	}

	/** Returns the number of active runs. */
	running(): number {
		return this.#lifecycle.active.size;
	}

	/** Tells other instances which of their runs are watched on this one, so that they go on. */
	async notifyWatched(): Promise<void> {
		await this.#shared?.notifyWatched();
	}

	/** Takes the ids of paused runs that are to be resumed with decisions that another instance has recorded. */
	takeUndelivered(): readonly string[] {
		return this.#shared?.takeUndelivered() ?? [];
	}

	/**
	 * Ends runs whose process has ended before them, but for those that are to be resumed. Before anything else, and where
	 * another instance has ended. Gives how many have ended.
	 */
	recover(): Promise<number> {
		const { repository, resumesInterrupted } = this.#options;
		if (resumesInterrupted !== true) return recoverRuns(repository, this.log);
		return recoverRuns(repository, this.log, async (runId) => {
			if ((await findResumableRun(repository, runId)) === undefined) return false;
			this.#interrupted.add(runId);
			return true;
		});
	}

	/** Lists the ids of runs that a crash has cut off and that are to be resumed. */
	listInterrupted(): readonly string[] {
		return [...this.#interrupted];
	}

	/**
	 * Resumes a run of `listInterrupted`; one that cannot be resumed ends as failed.
	 *
	 * @throws DomainError `too_many_runs`, `shutting_down`, and StorageError `storage_unavailable`: it stays in the list.
	 */
	async resumeInterrupted(runId: string, open: Omit<ResumeOptions, "decide">): Promise<void> {
		this.#assertNotStopping();
		await resumeInterrupted(runId, open, this.#resumeOptions);
		this.#interrupted.delete(runId);
		await this.#shared?.applyCancellations();
	}

	#cancelInterrupted(runId: string): Promise<void> {
		this.#interrupted.delete(runId);
		return this.#lifecycle.start(runId, () =>
			endInterrupted(runId, { status: "cancelled" }, this.#resumeOptions),
		);
	}

	/** Takes no new runs from now on; changes nothing and returns false while runs are in flight. Runs that wait are not. */
	closeIfIdle(): boolean {
		if (!this.#lifecycle.isIdle || this.#interrupted.size > 0) return false;
		this.#lifecycle.isClosing = true;
		return true;
	}

	/** Takes new runs again. */
	reopen(): void {
		this.#lifecycle.isClosing = false;
	}

	/** Waits so long for the runs under way, then cancels them; nothing can be started any more. Those that wait wait on. */
	async stop(graceMs: number): Promise<void> {
		await this.#lifecycle.close({
			graceMs,
			stop(runs) {
				for (const run of runs) run.cancel();
			},
		});
		this.#startOptions.tracker.stop();
		this.#shared?.stop();
		await this.log.flushed();
	}

	#assertNotStopping(): void {
		if (this.#lifecycle.isClosing)
			throw new DomainError("shutting_down", "The service is stopping.", { retryAfterSeconds: 5 });
	}
}

const runMoved = (runId: string): StemmaError =>
	new StemmaError(`The run ${runId} was resumed by another instance.`, {
		code: "run_moved",
		hint: "Nothing was called: the other instance goes on with the run.",
	});
