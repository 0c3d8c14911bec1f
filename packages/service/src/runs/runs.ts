import type { ApprovalDecision, Json, JsonObject, RunResult } from "@stemma/core";
import { clock } from "@stemma/core/internal";
import type { SerializedRun } from "@stemma/engine";
import type { LocalAgent, LocalRunStream } from "@stemma/local";
import {
	ActiveRuns,
	createRunLog,
	createTerminalEvent,
	type EventRecord,
	type RunEnd,
	type RunLog,
	type RunStore,
	SweepTimer,
	UNWATCHED_TIMEOUT_MS,
	type WatchOptions,
} from "@stemma/runs";
import type { Kysely } from "kysely";
import { createId } from "../create-id";
import { DomainError } from "../errors/domain-error";
import type { Database } from "../store/database";
import { StorageError } from "../store/storage-error";
import type { WorkspaceTables } from "../store/workspace-tables";
import type { ServiceMetrics } from "../telemetry/service-metrics";
import type { RunObserver } from "../telemetry/service-telemetry";
import { listDecisions } from "./approvals/approval-rows";
import { createSqliteRunStore } from "./events/sqlite-run-store";
import { INTERNAL_ERROR, type TerminalEntry, toRunError, toTerminalEntry } from "./events/terminal-entry";
import { createKeyedMutex } from "./keyed-mutex";
import { recoverRuns } from "./recover-runs";
import type { ResumeContext } from "./resume-context";
import { findRun, type RunRow, readResult, toInputRow } from "./run-rows";
import { createRunSlots, type RunSlots } from "./run-slots";
import { WorkspaceRun } from "./workspace-run";

/** Request to start a run of a workspace. */
export interface StartRun {
	readonly agent: RunAgent;
	/** The agent, ready to run. */
	readonly runnable: LocalAgent;
	readonly input: Json;
	readonly context: JsonObject;
	readonly untrustedContext: boolean;
	readonly background: boolean;
	/** Context that the run is resumed with after a pause. */
	readonly resumeContext: ResumeContext;
	/** The run under way that needs it: it may begin while the service stops, and waits for nobody. */
	readonly parentRunId?: string | undefined;
	/** Follows it, once it begins. */
	readonly follow?: (() => RunObserver) | undefined;
}

/** Result of a request to start something under an id. */
export type RunClaim =
	| { readonly kind: "new" }
	/** The same request has started this one. */
	| { readonly kind: "existing"; readonly runId: string };

/** Takes an id for a request, or tells which run the same request has started before. */
export type ClaimRunId = (runId: string, transaction: Kysely<WorkspaceTables>) => Promise<RunClaim>;

/** Options of resuming a paused run. */
export interface ResumeOptions {
	/** Writes down what is decided on approvals now, and tells it. What it throws, is thrown. */
	decide(transaction: Kysely<WorkspaceTables>): Promise<readonly ApprovalDecision[]>;
	/** Makes its agent ready anew. What this throws ends the run as failed. */
	prepare(resumeContext: ResumeContext): Promise<LocalAgent>;
	/** Follows the run of an agent, by its slug, once it goes on. */
	readonly follow?: ((agent: string) => RunObserver) | undefined;
}

export interface RunAgent {
	readonly id: string;
	readonly slug: string;
	readonly version: number;
}

export interface RunsOptions {
	readonly database: Database<WorkspaceTables>;
	/** Maximum number of concurrent runs. */
	readonly maxConcurrentRuns: number;
	/** Time that a run continues without a watcher. */
	readonly unwatchedTimeoutMs?: number;
	/** Counts an end that no event of the engine tells of. */
	readonly countRunEnd: ServiceMetrics["countRunEnd"];
	readonly onFailure: (error: unknown) => void;
}

/** Interval in milliseconds at which runs are checked for those that nobody watches. */
const UNWATCHED_SWEEP_MS = 1_000;

/** The runs of one workspace: under way in this process, and on the disk. */
export class Runs {
	/** Takes receipts of calls outside of runs, too. */
	readonly log: RunLog;
	readonly #options: RunsOptions;
	readonly #store: RunStore;
	readonly #active: ActiveRuns<WorkspaceRun>;
	readonly #mutex = createKeyedMutex();
	readonly #slots: RunSlots;
	readonly #sweepTimer: SweepTimer;
	#isStopping = false;

	constructor(options: RunsOptions) {
		const { database, maxConcurrentRuns, unwatchedTimeoutMs = UNWATCHED_TIMEOUT_MS, onFailure } = options;
		this.#options = options;
		this.#slots = createRunSlots(maxConcurrentRuns);
		this.#store = createSqliteRunStore(database);
		this.#active = new ActiveRuns(this.#store);
		this.log = createRunLog(this.#store, {
			onFailure,
			onWritten: (events) => this.#active.feed.publish(events),
			isRetryable: (error) => !(error instanceof StorageError && error.code === "storage_corrupt"),
		});
		this.#sweepTimer = new SweepTimer(Math.min(unwatchedTimeoutMs, UNWATCHED_SWEEP_MS), (now) => {
			this.#active.cancelUnwatched(now, unwatchedTimeoutMs);
			return this.#active.size > 0;
		});
	}

	/**
	 * Starts a run, or finds the one that the same request has started. Once this resolves, the run is on the disk and
	 * will end there, whatever happens.
	 *
	 * @param claim - asked within the transaction that makes the run.
	 * @throws DomainError `too_many_runs`, `shutting_down`.
	 */
	async start(request: StartRun, claim: ClaimRunId): Promise<RunRow> {
		if (this.#active.get(request.parentRunId ?? "") === undefined) this.#assertNotStopping();
		const row = toRow(request);
		return this.#mutex.runExclusive(row.id, () => this.#insertAndStart(row, request, claim));
	}

	/**
	 * Resumes a run that waits for a person, with all that was decided and that it does not know yet; one that is under
	 * way gets it. Nothing happens where nothing was decided. Once this resolves, the run is claimed: it goes on once.
	 *
	 * @throws DomainError `too_many_runs`, `shutting_down`: then nothing was decided; and what `decide` throws.
	 */
	resume(runId: string, options: ResumeOptions): Promise<void> {
		return this.#mutex.runExclusive(runId, () => this.#resume(runId, options));
	}

	/** The events after a seq as they happen, in batches; see `watchRun`. */
	watch(
		runId: string,
		after: number,
		signal: AbortSignal,
		options?: WatchOptions,
	): AsyncIterable<readonly EventRecord[]> {
		return this.#active.watchEvents(runId, after, signal, options);
	}

	/** Resolves once a run has ended or paused, or when the signal aborts. Whoever waits for it watches it. */
	waitUntilSettled(runId: string, signal: AbortSignal): Promise<void> {
		return this.#active.waitUntilSettled(runId, signal);
	}

	/** Stops a run that is under way or waits for a person; resolves once its end is on the disk. */
	cancel(runId: string): Promise<void> {
		return this.#mutex.runExclusive(runId, () => this.#cancel(runId));
	}

	/** Returns the number of active runs. */
	running(): number {
		return this.#active.size;
	}

	/** Ends runs that a crash has cut off. Before anything else. */
	recover(): Promise<number> {
		return recoverRuns(this.#options.database, this.log);
	}

	/** Takes no new runs from now on; changes nothing and returns false while runs are in flight. Runs that wait are not. */
	closeIfIdle(): boolean {
		if (this.#active.size + this.#mutex.listPending().length > 0) return false;
		this.#isStopping = true;
		return true;
	}

	/** Takes new runs again. */
	reopen(): void {
		this.#isStopping = false;
	}

	/** Waits so long for the runs under way, then cancels them; nothing can be started any more. Those that wait wait on. */
	async stop(graceMs: number): Promise<void> {
		this.#isStopping = true;
		await this.#active.close({
			graceMs,
			listPending: this.#mutex.listPending,
			stop(runs) {
				for (const run of runs) run.cancel();
			},
		});
		this.#sweepTimer.stop();
		await this.log.flushed();
	}

	/** Puts the run on the disk, unless the same request has started one before: that one needs no more room. */
	async #insert(row: RunRow, { input, context }: StartRun, claim: ClaimRunId): Promise<RunClaim> {
		try {
			return await this.#options.database.write.transaction().execute(async (transaction) => {
				const claimed = await claim(row.id, transaction);
				if (claimed.kind === "existing") return claimed;
				this.#slots.acquire(row);
				await transaction.insertInto("runs").values(row).execute();
				await transaction
					.insertInto("run_inputs")
					.values(toInputRow(row.id, input, context))
					.execute();
				return claimed;
			});
		} catch (error) {
			this.#slots.release(row.id);
			throw error;
		}
	}

	async #insertAndStart(row: RunRow, request: StartRun, claim: ClaimRunId): Promise<RunRow> {
		const claimed = await this.#insert(row, request, claim);
		if (claimed.kind === "existing") return (await findRun(this.#options.database, claimed.runId)) ?? row;
		const { runnable, input, context, untrustedContext, resumeContext, follow } = request;
		const options = { runId: row.id, input, context, untrustedContext };
		try {
			const stream = openWithFollower(follow?.(), (onEvent) => runnable.stream({ ...options, onEvent }));
			this.#track(row, stream, resumeContext);
			return row;
		} catch (error) {
			// Nobody has counted it as started.
			this.log.append(toEnd(row, { status: "failed", error: INTERNAL_ERROR }));
			this.#slots.release(row.id);
			throw error;
		}
	}

	/** Follows a run that has room. */
	#track(row: RunRow, stream: LocalRunStream, resumeContext: ResumeContext): void {
		const run = new WorkspaceRun(stream, {
			row,
			resumeContext,
			append: this.log.append,
			end: (entry) => this.#end(entry),
			onFailure: this.#options.onFailure,
			onEnd: () => this.#untrack(row.id),
		});
		this.#active.add(row.id, run);
		this.#sweepTimer.schedule();
	}

	/** A run is active until its end or its pause is on the disk. */
	async #untrack(id: string): Promise<void> {
		await this.log.flushed();
		this.#active.delete(id);
		this.#slots.release(id);
		this.#active.feed.notify(id);
	}

	#end(entry: TerminalEntry): void {
		this.log.append(entry);
		this.#options.countRunEnd(entry.status);
	}

	async #resume(runId: string, options: ResumeOptions): Promise<void> {
		const { decide } = options;
		this.#assertNotStopping();
		const run = this.#active.get(runId);
		if (run === undefined) return this.#resumePaused(runId, options);
		const decided = await this.#options.database.write.transaction().execute(decide);
		if (decided.filter((decision) => !run.decide(decision)).length === 0) return;
		// It has paused at this moment.
		await run.settled();
		await this.#resumePaused(runId, { ...options, decide: async () => [] });
	}

	async #resumePaused(runId: string, options: ResumeOptions): Promise<void> {
		const row = await findRun(this.#options.database, runId);
		const isPaused = row?.status === "paused";
		if (isPaused) this.#slots.acquire(row);
		let hasStarted = false;
		try {
			await this.#options.database.write.transaction().execute(options.decide);
			if (isPaused) hasStarted = await this.#startResumed(row, options);
		} finally {
			if (!hasStarted) this.#slots.release(runId);
		}
	}

	async #startResumed(row: RunRow, { prepare, follow }: ResumeOptions): Promise<boolean> {
		const paused = await this.#getResult(row);
		const open = paused.approvals?.map(({ id }) => id) ?? [];
		const decisions = await listDecisions(this.#options.database.read, row.id, open);
		if (decisions.length === 0 || !(await this.#store.claimPaused(row.id))) return false;
		try {
			const saved = await this.#store.loadState(row.id);
			if (saved === undefined) throw new Error("A run that waits has no state.");
			const state: SerializedRun = JSON.parse(saved.state);
			const resumeContext: ResumeContext = JSON.parse(saved.resumeContext);
			const agent = await prepare(resumeContext);
			const follower = follow?.(row.agent_slug);
			const stream = openWithFollower(follower, (onEvent) => agent.resume(state, { decisions, onEvent }));
			this.#track(row, stream, resumeContext);
			return true;
		} catch (error) {
			const runError = toRunError(error);
			if (runError.code === "internal_error") this.#options.onFailure(error);
			this.#end(toEnd(row, { status: "failed", error: runError }, paused));
			await this.log.flushed();
			return false;
		}
	}

	async #cancel(runId: string): Promise<void> {
		const run = this.#active.get(runId);
		run?.cancel();
		await run?.settled();
		const row = await findRun(this.#options.database, runId);
		if (row?.status === "paused" && (await this.#store.claimPaused(runId)))
			this.#end(toEnd(row, { status: "cancelled" }, await this.#getResult(row)));
		await this.log.flushed();
	}

	async #getResult(row: RunRow): Promise<RunResult> {
		const result = await readResult(this.#options.database, row);
		if (result === undefined) throw new Error("A run that waits has no result.");
		return result;
	}

	#assertNotStopping(): void {
		if (this.#isStopping)
			throw new DomainError("shutting_down", "The service is stopping.", { retryAfterSeconds: 5 });
	}
}

/** Makes the terminal event of a run that is not in progress. */
const toEnd = ({ id, last_seq }: RunRow, runEnd: RunEnd, done?: RunResult): TerminalEntry =>
	toTerminalEntry(createTerminalEvent({ runId: id, lastSeq: last_seq, done }, runEnd, clock.now()));

/** Opens the stream of a run; where that fails, there is nothing to follow. */
function openWithFollower(
	follower: RunObserver | undefined,
	open: (onEvent: RunObserver["onEvent"] | undefined) => LocalRunStream,
): LocalRunStream {
	try {
		return open(follower?.onEvent);
	} catch (error) {
		follower?.reject(toRunError(error).code);
		throw error;
	}
}

function toRow({ agent, background, resumeContext, parentRunId }: StartRun): RunRow {
	const now = clock.now();
	return {
		id: createId("run"),
		agent_id: agent.id,
		agent_slug: agent.slug,
		agent_version: agent.version,
		status: "running",
		background: background ? 1 : 0,
		started_by: resumeContext.caller.id,
		created_at: now,
		ended_at: null,
		last_seq: 0,
		within: parentRunId ?? null,
	};
}
