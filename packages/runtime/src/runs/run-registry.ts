import type { RunError, TraceContext } from "@stemma/core";
import { isStemmaError } from "@stemma/core/errors";
import { clock, Queue } from "@stemma/core/internal";
import type { RunTrace } from "@stemma/telemetry";
import type { RunInput, RunnableAgent } from "../agents/runnable-agent";
import { startBackgroundTimer } from "../platform/background-timer";
import { Run, type RunHost, type RunObserver, type RunSubject } from "./run";

/** Time in milliseconds that a run is kept after its end. */
export const ENDED_RUN_TTL_MS = 600_000;
/** A run that nobody watches for so long is cancelled. */
export const UNWATCHED_TIMEOUT_MS = 600_000;
/** Characters of JSON of all runs that have ended; beyond, the oldest are evicted before their time. */
const MAX_ENDED_RUNS_LENGTH = 64_000_000;
/** Size of a run that has ended besides its events, counted in characters. */
const RUN_OVERHEAD_LENGTH = 2_000;
/**
 * Maximum number of runs that wait for approvals: a person decides on each, and cannot review more in a week. Above it,
 * the newest ends: older ones are nearer to their decision.
 */
const MAX_PAUSED = 1_000;
/** Characters of JSON of all runs that wait. */
const MAX_PAUSED_LENGTH = 256_000_000;
/** Number of ids of evicted runs that are kept, to tell them from runs that never were. */
const MAX_EVICTED_IDS = 10_000;
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

/** The runs of one runtime, in memory. */
export interface RunRegistry {
	/** Starts a run; it has begun when this resolves. Fails with what its source failed with, and nothing was started then. */
	start(start: RunStart): Promise<Run>;
	find(id: string): Run | "evicted" | undefined;
	counts(): RunCounts;
	/** Calls back when the run is evicted. */
	onEvict(listener: (run: Run) => void): void;
	/**
	 * Ends those that wait for approvals, lets the others end until the time is over, and stops them then: they
	 * end as failed, `shutting_down`.
	 */
	close(graceMs: number): Promise<void>;
}

export interface RunRegistryOptions {
	/** Converts the error that broke off a run to the error in its result. */
	readonly toRunError: (error: unknown) => RunError;
	/** Makes what counts a run that starts. Default: nothing does. */
	readonly observe?: (start: RunStart) => RunObserver;
	/** Makes the trace of a run that starts. Default: there is none. */
	readonly trace?: (start: RunStart) => RunTrace | undefined;
}

export function createRunRegistry({ toRunError, observe, trace }: RunRegistryOptions): RunRegistry {
	/** Runs that are in progress or wait for approvals. */
	const active = new Map<string, Run>();
	const paused = new Set<Run>();
	/** Runs that have ended, by id and in the order of their endings. */
	const ended = new Map<string, Run>();
	const endings = new Queue<{ readonly run: Run; readonly endedMs: number }>();
	const evicted = new Set<string>();
	const evictions = new Queue<string>();
	const starting = new Map<Run, Promise<void>>();
	const listeners: ((run: Run) => void)[] = [];
	let endedLength = 0;
	let stopSweeping: (() => void) | undefined;
	let sweepAt = 0;

	const host: RunHost = {
		toRunError,
		onStart(run) {
			starting.delete(run);
			active.set(run.id, run);
			scheduleSweep();
		},
		onPause(run) {
			paused.add(run);
			return checkPauseLimits();
		},
		onResume: (run) => void paused.delete(run),
		onEnd(run) {
			active.delete(run.id);
			paused.delete(run);
			ended.set(run.id, run);
			endings.push({ run, endedMs: clock.now() });
			endedLength += run.log.length + RUN_OVERHEAD_LENGTH;
			if (endedLength > MAX_ENDED_RUNS_LENGTH) evictOldest();
			scheduleSweep();
		},
	};

	/** Returns why no more paused runs can be kept. */
	function checkPauseLimits(): RunError | undefined {
		let length = 0;
		for (const run of paused) length += run.length;
		if (paused.size <= MAX_PAUSED && length <= MAX_PAUSED_LENGTH) return undefined;
		return {
			code: "too_many_paused_runs",
			message: `Too many runs wait for approvals in this runtime; the maximum is ${MAX_PAUSED}.`,
			hint: "Decide on those that wait, or cancel them, and run it again.",
		};
	}

	function evict(run: Run): void {
		ended.delete(run.id);
		endedLength -= run.log.length + RUN_OVERHEAD_LENGTH;
		evicted.add(run.id);
		evictions.push(run.id);
		if (evictions.length > MAX_EVICTED_IDS) evicted.delete(evictions.shift() ?? "");
		for (const listener of listeners) listener(run);
	}

	function evictOldest(now = 0): void {
		for (let oldest = endings.first; oldest !== undefined; oldest = endings.first) {
			if (endedLength <= MAX_ENDED_RUNS_LENGTH && oldest.endedMs + ENDED_RUN_TTL_MS > now) return;
			endings.shift();
			evict(oldest.run);
		}
	}

	/** One timer for all runs, as long as there are any. Workers drop it with the request that it was set in. */
	function scheduleSweep(): void {
		const now = clock.now();
		const isScheduled = stopSweeping !== undefined && now - sweepAt < SWEEP_MS;
		if (isScheduled || active.size + ended.size === 0) return;
		sweepAt = now + SWEEP_MS;
		stopSweeping = startBackgroundTimer(SWEEP_MS, sweep);
	}

	function sweep(): void {
		stopSweeping = undefined;
		const now = clock.now();
		for (const run of paused)
			if (run.approvals.some(({ expires_at }) => Date.parse(expires_at) <= now)) run.expire();
		for (const run of active.values()) {
			const { unwatchedSince = now } = run;
			if (!paused.has(run) && now - unwatchedSince >= UNWATCHED_TIMEOUT_MS) run.cancel();
		}
		evictOldest(now);
		scheduleSweep();
	}

	const listRunning = (): Run[] => [...active.values()].filter((run) => !paused.has(run));

	async function untilAllEnded(): Promise<void> {
		await Promise.allSettled(starting.values());
		await Promise.all(listRunning().map((run) => run.settled()));
	}

	function endPaused(): void {
		for (const run of paused) run.end(RUNTIME_STOPPED);
	}

	return {
		async start(start) {
			const { agent, subject, input, depth } = start;
			const runTrace = trace?.(start);
			const observers = [observe?.(start), runTrace].filter((one) => one !== undefined);
			const run = new Run({ subject, host, observers });
			const startup = run.start(agent, input, { depth, traceContext: runTrace?.traceContext });
			if (run.id === "") starting.set(run, startup);
			try {
				await startup;
				return run;
			} catch (error) {
				runTrace?.reject(isStemmaError(error) ? error.code : "internal_error");
				throw error;
			} finally {
				starting.delete(run);
			}
		},
		find(id) {
			scheduleSweep();
			return active.get(id) ?? ended.get(id) ?? (evicted.has(id) ? "evicted" : undefined);
		},
		counts: () => ({ running: active.size - paused.size + starting.size, paused: paused.size }),
		onEvict: (listener) => void listeners.push(listener),
		async close(graceMs) {
			endPaused();
			await waitAtMost(graceMs, untilAllEnded());
			endPaused();
			for (const run of starting.keys()) run.cancel();
			for (const run of active.values()) run.stop(SHUTTING_DOWN);
			await waitAtMost(CANCEL_GRACE_MS, untilAllEnded());
			for (const run of active.values()) run.end(undefined);
			stopSweeping?.();
		},
	};
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

/** Waits for the work, at most so long. */
async function waitAtMost(milliseconds: number, work: Promise<void>): Promise<void> {
	let timer: ReturnType<typeof setTimeout> | undefined;
	const timeOver = new Promise<void>((resolve) => {
		timer = setTimeout(resolve, milliseconds);
	});
	await Promise.race([work, timeOver]);
	clearTimeout(timer);
}
