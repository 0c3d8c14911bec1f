import type { ApprovalDecision, RunError, TraceContext } from "@stemma/core";
import { isStemmaError } from "@stemma/core/errors";
import {
	type ActiveRuns,
	type EventRecord,
	type LifecycleHost,
	type MemoryRun,
	MemoryRunStore,
	type RunEnd,
	RunLifecycle,
	type SavedState,
	SweepTimer,
} from "@stemma/runs";
import type { RunTrace } from "@stemma/telemetry";
import type { RunInput, RunnableAgent } from "../agents/runnable-agent";
import { Run, type RunHost, type RunObserver, type RunSubject } from "./run";

/** Time in milliseconds that a run is kept after its end. */
export const ENDED_RUN_TTL_MS = 600_000;
/** Characters of JSON that the log of one run may have. */
const MAX_LOG_LENGTH = 4_000_000;
/** Characters of JSON of all runs that have ended; beyond, the oldest are evicted before their time. */
const MAX_ENDED_RUNS_LENGTH = 64_000_000;
/**
 * Maximum number of runs that wait for approvals: a person decides on each, and cannot review more in a week. Above it,
 * the newest ends: older ones are nearer to their decision.
 */
const MAX_PAUSED = 1_000;
/** Characters of JSON of all runs that wait. */
const MAX_PAUSED_LENGTH = 256_000_000;
/** Time in milliseconds that a cancelled run may take to end by itself. */
const CANCEL_GRACE_MS = 2_000;
/** Interval in milliseconds at which all runs are checked for what has expired. */
const SWEEP_MS = 1_000;

export interface RunStart {
	readonly agent: RunnableAgent;
	readonly subject: RunSubject;
	readonly input: RunInput;
	readonly depth: number;
	/** Trace context of the request. */
	readonly traceContext?: TraceContext | undefined;
}

export interface RunCounts {
	/** Number of runs that are in progress or about to start. */
	readonly running: number;
	/** Number of runs that wait for approvals; they do not count towards the limit of runs at once. */
	readonly paused: number;
}

export interface RunRegistryOptions {
	/** Converts the error that broke off a run to the error in its result. */
	readonly toRunError: (error: unknown) => RunError;
	/** Makes what counts a run that starts. Default: nothing does. */
	readonly observe?: (start: RunStart) => RunObserver;
	/** Makes the trace of a run that starts. Default: there is none. */
	readonly trace?: (start: RunStart) => RunTrace | undefined;
}

/** The runs of one runtime, in memory. */
export class RunRegistry implements RunHost, LifecycleHost<Run> {
	readonly toRunError: (error: unknown) => RunError;
	readonly #options: RunRegistryOptions;
	readonly #store: MemoryRunStore<Run>;
	readonly #lifecycle: RunLifecycle<Run, Run>;
	/** Runs that wait for approvals. */
	readonly #paused = new Map<string, Run>();
	readonly #starting = new Map<Run, Promise<void>>();
	readonly #evictListeners: ((run: Run) => void)[] = [];
	readonly #sweepTimer = new SweepTimer(SWEEP_MS, (now) => this.#sweep(now));

	constructor(options: RunRegistryOptions) {
		this.#options = options;
		this.toRunError = options.toRunError;
		this.#store = new MemoryRunStore({
			maxLogLength: MAX_LOG_LENGTH,
			maxEndedLength: MAX_ENDED_RUNS_LENGTH,
			endedTtlMs: ENDED_RUN_TTL_MS,
			onEvict: ({ owner }) => this.#onEvict(owner),
		});
		this.#lifecycle = new RunLifecycle(this.#store, this);
	}

	/** Runs in progress, and the watchers of all runs. */
	get active(): ActiveRuns<Run> {
		return this.#lifecycle.active;
	}

	/** Starts a run; it has begun when this resolves. Fails with what its source failed with, and nothing was started then. */
	async start(start: RunStart): Promise<Run> {
		const { agent, subject, input, depth } = start;
		const runTrace = this.#options.trace?.(start);
		const observers = [this.#options.observe?.(start), runTrace].filter((one) => one !== undefined);
		const options = { depth, traceContext: runTrace?.traceContext };
		const run = new Run({ subject, host: this, observers, agent, options });
		const startup = run.start(input);
		if (run.id === "") this.#starting.set(run, startup);
		try {
			await startup;
			return run;
		} catch (error) {
			runTrace?.reject(isStemmaError(error) ? error.code : "internal_error");
			throw error;
		} finally {
			this.#starting.delete(run);
		}
	}

	/**
	 * Decides on approvals of a run, on all or on none; one that is paused is resumed.
	 *
	 * @throws as `Run.record`.
	 */
	decide(run: Run, decisions: readonly ApprovalDecision[]): Promise<void> {
		return this.#lifecycle.decide(run.id, { record: () => run.record(decisions), prepare: this.#prepare });
	}

	/** Cancels a run; resolves once it has ended. */
	cancel({ id }: Run): Promise<void> {
		return this.#lifecycle.cancel(id);
	}

	readonly #prepare =
		async (run: Run, _: SavedState, decisions: readonly ApprovalDecision[]): Promise<() => void> =>
		() =>
			this.#resume(run, decisions);

	find(id: string): Run | "evicted" | undefined {
		this.#sweepTimer.schedule();
		return this.#store.find(id)?.owner ?? (this.#store.isEvicted(id) ? "evicted" : undefined);
	}

	counts(): RunCounts {
		return { running: this.active.size + this.#starting.size, paused: this.#paused.size };
	}

	/** Calls back when a run is evicted. */
	onEvict(listener: (run: Run) => void): void {
		this.#evictListeners.push(listener);
	}

	/**
	 * Ends those that wait for approvals, lets the others end until the time is over, and stops them then: they
	 * end as failed, `shutting_down`.
	 */
	async close(graceMs: number): Promise<void> {
		this.#endPaused();
		await this.#lifecycle.close({
			graceMs,
			stopMs: CANCEL_GRACE_MS,
			listPending: () => [...this.#starting.values()],
			stop: (runs) => {
				this.#endPaused();
				for (const run of this.#starting.keys()) run.cancel();
				for (const run of runs) run.stop(SHUTTING_DOWN);
			},
		});
		for (const run of this.active.list()) run.end(undefined);
		this.#sweepTimer.stop();
	}

	onStart(run: Run): MemoryRun<Run> {
		this.#starting.delete(run);
		this.#activate(run);
		return this.#store.add(run.id, run);
	}

	onEvent({ id }: Run, record: EventRecord): void {
		if (this.active.feed.has(id)) this.active.feed.notify(id, [record]);
	}

	onPause(run: Run): RunError | undefined {
		this.active.delete(run.id);
		this.#paused.set(run.id, run);
		return this.#findPauseError();
	}

	#activate(run: Run): void {
		this.#paused.delete(run.id);
		this.active.add(run.id, run);
		this.#sweepTimer.schedule();
	}

	#resume(run: Run, decisions: readonly ApprovalDecision[]): void {
		this.#activate(run);
		run.resume(decisions);
	}

	async findPaused(runId: string): Promise<Run | undefined> {
		return this.#paused.get(runId);
	}

	async listDecisions(run: Run): Promise<readonly ApprovalDecision[]> {
		return run.listDecisions();
	}

	/** Paused runs do not count towards the limit of runs at once, nor when they go on. */
	acquire(): void {}
	release(): void {}

	/** A cancelled run gets its last event from its source, which knows what was done. */
	async endPaused(run: Run, end: RunEnd): Promise<void> {
		if (end.status === "failed") return run.end(end.error);
		run.cancel();
		this.#resume(run, []);
		await run.settled();
	}

	onEnd(run: Run, stored: MemoryRun<Run>): void {
		this.active.delete(run.id);
		this.#paused.delete(run.id);
		this.#store.end(stored);
		this.#sweepTimer.schedule();
	}

	/** Finds why no more paused runs can be kept. */
	#findPauseError(): RunError | undefined {
		let length = 0;
		for (const run of this.#paused.values()) length += run.length;
		if (this.#paused.size <= MAX_PAUSED && length <= MAX_PAUSED_LENGTH) return undefined;
		return {
			code: "too_many_paused_runs",
			message: `Too many runs wait for approvals in this runtime; the maximum is ${MAX_PAUSED}.`,
			hint: "Decide on those that wait, or cancel them, and run it again.",
		};
	}

	#sweep(now: number): boolean {
		for (const run of this.#paused.values()) {
			run.expire(now);
			if (run.listDecisions().length > 0) void this.decide(run, []);
		}
		this.active.cancelUnwatched(now);
		this.#store.sweep(now);
		return this.#store.size > 0;
	}

	#onEvict(run: Run | undefined): void {
		if (run !== undefined) for (const listener of this.#evictListeners) listener(run);
	}

	#endPaused(): void {
		for (const run of this.#paused.values()) run.end(RUNTIME_STOPPED);
	}
}

const SHUTTING_DOWN: RunError = {
	code: "shutting_down",
	message: "The runtime was stopped before the run had ended.",
	hint: "Run it again.",
};

const RUNTIME_STOPPED: RunError = {
	code: "runtime_stopped",
	message: "The runtime was stopped while the run waited for an approval.",
	hint: "Run it again. The run of a service agent that a manifest names still waits in the service.",
};
