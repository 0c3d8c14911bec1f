import type { RunResult } from "@stemma/core";
import { type ActiveRuns, type LifecycleHost, type RunLog, type RunSegment, SweepTimer } from "@stemma/runs";
import type { ResumeContext } from "./resuming/resume-context";
import type { PausedStoredRun } from "./run-host";
import type { StoredRun } from "./stored-run";
import { type RunMessage, WorkspaceRun, type WorkspaceRunOptions } from "./workspace-run";

/** Run that has room, and what it goes on from. */
export interface TrackedRun {
	readonly run: StoredRun;
	readonly segment: RunSegment;
	readonly resumeContext: ResumeContext;
	/** Result of the pause that it was resumed after. */
	readonly lastPause?: RunResult;
	/** Message of a thread that it answers. */
	readonly message?: RunMessage | undefined;
}

/** Options of tracking the runs in progress of one workspace. */
export interface RunTrackerOptions {
	readonly active: ActiveRuns<WorkspaceRun>;
	readonly log: RunLog;
	readonly host: Pick<LifecycleHost<PausedStoredRun>, "release" | "toRunError">;
	readonly countRunEnd: WorkspaceRunOptions["onOwnEnd"];
	/** Called with a run whose pause is stored, and its result. Left out where no other instance decides on it. */
	readonly onPaused?: ((runId: string, result: RunResult) => Promise<void>) | undefined;
	/** Time that a run continues without a watcher. */
	readonly unwatchedTimeoutMs: number;
	/** True where runs are resumed after a crash. */
	readonly resumesInterrupted: boolean;
}

/** Interval in milliseconds at which runs are checked for those that nobody watches. */
const UNWATCHED_SWEEP_MS = 1_000;

/** Tracks the runs of one workspace that are in progress in this process; cancels those that nobody watches. */
export class RunTracker {
	readonly #options: RunTrackerOptions;
	readonly #sweepTimer: SweepTimer;

	constructor(options: RunTrackerOptions) {
		const { active, unwatchedTimeoutMs } = options;
		this.#options = options;
		this.#sweepTimer = new SweepTimer(Math.min(unwatchedTimeoutMs, UNWATCHED_SWEEP_MS), (now) => {
			active.cancelUnwatched(now, unwatchedTimeoutMs);
			return active.size > 0;
		});
	}

	/** Tracks a run until its end or its pause is on the disk; its slot is released then. */
	track({ run, segment, resumeContext, lastPause, message }: TrackedRun): void {
		const { active, log, host, countRunEnd, resumesInterrupted } = this.#options;
		const isResumable = resumesInterrupted && run.within === null;
		const activeRun = new WorkspaceRun(segment, {
			run,
			lastPause,
			message,
			resumeContext,
			append: (event) => log.append(event),
			saveState: isResumable ? (take) => log.saveState(run.id, take) : undefined,
			onOwnEnd: countRunEnd,
			onSettled: () => this.#untrack(run.id),
			toRunError: (error) => host.toRunError(error),
		});
		active.add(run.id, activeRun);
		this.#sweepTimer.schedule();
	}

	/** Stops the check for runs that nobody watches. */
	stop(): void {
		this.#sweepTimer.stop();
	}

	async #untrack(id: string): Promise<void> {
		const { active, log, host, onPaused } = this.#options;
		await log.flushed();
		const { isAbandoned = false, paused } = active.get(id) ?? {};
		if (paused !== undefined) await onPaused?.(id, paused);
		active.delete(id);
		host.release(id);
		// The process that has claimed it writes its end.
		if (isAbandoned) active.feed.notifyMissed(id);
		else active.feed.notify(id);
	}
}
