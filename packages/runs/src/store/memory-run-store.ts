import type { RunStatus } from "@stemma/core";
import { StemmaError } from "@stemma/core/errors";
import { clock, Queue } from "@stemma/core/internal";
import { EventLog } from "./event-log";
import type { EventRecord } from "./event-record";
import type { RunBatch, RunHead, RunStore, SavedState } from "./run-store";

/** Limits of a store of runs in memory. Lengths are in characters of JSON. */
export interface MemoryRunStoreOptions<Owner> {
	/** Maximum length of the events of one run; beyond, its first ones are dropped. */
	readonly maxLogLength: number;
	/** Maximum length of all runs that have ended; beyond, the oldest are evicted before their time. */
	readonly maxEndedLength: number;
	/** Time in milliseconds that a run is kept after its end. */
	readonly endedTtlMs: number;
	/** Called when a run is evicted. */
	readonly onEvict?: (run: MemoryRun<Owner>) => void;
}

/** A run in memory. */
export interface MemoryRun<Owner = unknown> {
	readonly id: string;
	/** The run itself, where it was added with one. */
	readonly owner: Owner | undefined;
	readonly log: EventLog;
	status: "running" | RunStatus;
	/** State to resume it with, where it was appended with a pause. */
	state: SavedState | undefined;
	endedAtMs: number;
	/** Length that it counts for among those that have ended. */
	endedLength: number;
}

/** Size of a run that has ended besides its events, counted in characters. */
const RUN_OVERHEAD_LENGTH = 2_000;
/** Number of ids of evicted runs that are kept at least, and twice as many at most, to tell them from runs that never were. */
const MIN_EVICTED_IDS = 10_000;
/** Time in milliseconds after which the events of an ended run become text: most that are read are read before. */
const WRITE_ENDED_AFTER_MS = 5_000;

/** Store of runs in memory. Runs under way are kept; those that have ended for a while, and within a size. */
export class MemoryRunStore<Owner = unknown> implements RunStore {
	readonly #options: MemoryRunStoreOptions<Owner>;
	readonly #runs = new Map<string, MemoryRun<Owner>>();
	/** Runs that have ended and whose events are text, in the order of their endings. */
	readonly #written = new Queue<MemoryRun<Owner>>();
	/** Runs that have ended after those. */
	readonly #unwritten = new Queue<MemoryRun<Owner>>();
	/** Ids of the runs that were evicted last. */
	#evictedIds = new Set<string>();
	/** Ids of those that were evicted before them. */
	#evictedBefore: ReadonlySet<string> = new Set();
	#endedLength = 0;

	constructor(options: MemoryRunStoreOptions<Owner>) {
		this.#options = options;
	}

	/** Number of runs: those under way, and those that have ended and are kept. */
	get size(): number {
		return this.#runs.size;
	}

	/** Adds a run. Its events are appended to its log at once. */
	add(id: string, owner?: Owner): MemoryRun<Owner> {
		const run: MemoryRun<Owner> = {
			id,
			owner,
			log: new EventLog(this.#options.maxLogLength),
			status: "running",
			state: undefined,
			endedAtMs: 0,
			endedLength: 0,
		};
		this.#runs.set(id, run);
		return run;
	}

	find(id: string): MemoryRun<Owner> | undefined {
		return this.#runs.get(id);
	}

	/** Marks a run as ended: it is kept for a while from now on. */
	end(run: MemoryRun<Owner>): void {
		run.state = undefined;
		run.endedAtMs = clock.now();
		run.endedLength = run.log.length + RUN_OVERHEAD_LENGTH;
		this.#unwritten.push(run);
		this.#endedLength += run.endedLength;
		if (this.#endedLength > this.#options.maxEndedLength) this.#evictOldest(0);
	}

	/** Evicts the runs whose time is over, and writes the events of those that have ended for a moment. */
	sweep(now: number): void {
		this.#evictOldest(now);
		for (let run = this.#unwritten.first; run !== undefined; run = this.#unwritten.first) {
			if (run.endedAtMs + WRITE_ENDED_AFTER_MS > now) return;
			run.log.writeAll();
			this.#unwritten.shift();
			this.#written.push(run);
		}
	}

	isEvicted(id: string): boolean {
		return this.#evictedIds.has(id) || this.#evictedBefore.has(id);
	}

	async append({ events, states = [] }: RunBatch): Promise<void> {
		for (const { runId, status, pause, endedAt, ...record } of events) {
			const run = this.#runs.get(runId) ?? this.add(runId);
			if (record.seq <= run.log.lastSeq) continue;
			run.log.appendRecord(record);
			run.status = status ?? run.status;
			run.state = pause ?? run.state;
			if (endedAt !== undefined) this.end(run);
		}
		for (const { runId, ...state } of states) {
			const run = this.#runs.get(runId);
			if (run?.status === "running") run.state = state;
		}
	}

	/** @throws StemmaError `events_expired` where some of the events were dropped. */
	async readEvents(runId: string, after: number, limit: number): Promise<readonly EventRecord[]> {
		const run = this.#runs.get(runId);
		const events = run === undefined ? [] : run.log.after(after);
		if (events !== undefined) return events.slice(0, limit);
		throw new StemmaError(`The first events of the run ${runId} are gone.`, {
			code: "events_expired",
			hint: "The run goes on. Its result is in its last event.",
		});
	}

	async findHead(runId: string): Promise<RunHead | undefined> {
		const run = this.#runs.get(runId);
		return run && { status: run.status, lastSeq: run.log.lastSeq };
	}

	async claimPaused(runId: string, lastSeq: number): Promise<boolean> {
		const run = this.#runs.get(runId);
		if (run?.status !== "paused" || run.log.lastSeq !== lastSeq) return false;
		run.status = "running";
		return true;
	}

	async loadState(runId: string): Promise<SavedState | undefined> {
		const state = this.#runs.get(runId)?.state;
		return state && { state: state.state, resumeContext: state.resumeContext };
	}

	#evictOldest(now: number): void {
		const { maxEndedLength, endedTtlMs } = this.#options;
		for (;;) {
			const queue = this.#written.length > 0 ? this.#written : this.#unwritten;
			const run = queue.first;
			if (run === undefined) return;
			if (this.#endedLength <= maxEndedLength && run.endedAtMs + endedTtlMs > now) return;
			queue.shift();
			this.#evict(run);
		}
	}

	#evict(run: MemoryRun<Owner>): void {
		this.#runs.delete(run.id);
		this.#endedLength -= run.endedLength;
		if (this.#evictedIds.size === MIN_EVICTED_IDS) {
			this.#evictedBefore = this.#evictedIds;
			this.#evictedIds = new Set();
		}
		this.#evictedIds.add(run.id);
		this.#options.onEvict?.(run);
	}
}
