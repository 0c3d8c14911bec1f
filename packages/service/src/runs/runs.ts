import type { ApprovalDecision, Json, JsonObject, RunError, RunResult } from "@stemma/core";
import { clock } from "@stemma/core/internal";
import type { SerializedRun } from "@stemma/engine";
import type { LocalAgent, LocalRunStream } from "@stemma/local";
import {
	createTerminalEvent,
	EngineRunSegment,
	type EventRecord,
	type LifecycleHost,
	type LoggedEvent,
	type RunEnd,
	RunLifecycle,
	RunLog,
	type SavedState,
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
import { INTERNAL_ERROR, toRunError } from "./events/run-error";
import { createSqliteRunStore } from "./events/sqlite-run-store";
import { recoverRuns } from "./recover-runs";
import type { ResumeContext } from "./resume-context";
import { findRun, type RunRow, readResult, toInputRow } from "./run-rows";
import { createRunSlots, type RunSlots } from "./run-slots";
import { toLoggedEvent, WorkspaceRun } from "./workspace-run";

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
	/** A run that the same request has started before. */
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
export class Runs implements LifecycleHost<RunRow> {
	/** Takes receipts of calls outside of runs, too. */
	readonly log: RunLog;
	readonly #options: RunsOptions;
	readonly #lifecycle: RunLifecycle<WorkspaceRun, RunRow>;
	readonly #slots: RunSlots;
	readonly #sweepTimer: SweepTimer;

	constructor(options: RunsOptions) {
		const { database, maxConcurrentRuns, unwatchedTimeoutMs = UNWATCHED_TIMEOUT_MS, onFailure } = options;
		this.#options = options;
		this.#slots = createRunSlots(maxConcurrentRuns);
		const store = createSqliteRunStore(database);
		this.#lifecycle = new RunLifecycle(store, this);
		const { active } = this.#lifecycle;
		this.log = new RunLog(store, {
			onFailure,
			onWritten: (events) => active.feed.publish(events),
			isRetryable: (error) => !(error instanceof StorageError && error.code === "storage_corrupt"),
		});
		this.#sweepTimer = new SweepTimer(Math.min(unwatchedTimeoutMs, UNWATCHED_SWEEP_MS), (now) => {
			active.cancelUnwatched(now, unwatchedTimeoutMs);
			return active.size > 0;
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
		if (this.#lifecycle.active.get(request.parentRunId ?? "") === undefined) this.#assertNotStopping();
		const row = toRow(request);
		return this.#lifecycle.start(row.id, () => this.#insertAndStart(row, request, claim));
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
				return this.#options.database.write.transaction().execute(decide);
			},
			open: async (row, saved, decisions) => {
				const resumeContext = parseResumeContext(saved);
				const agent = await prepare(resumeContext);
				const stream = openWithFollower(follow?.(row.agent_slug), (onEvent) =>
					agent.resume(parseState(saved), { decisions, onEvent }),
				);
				this.#track(row, stream, resumeContext, await this.#getResult(row));
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
		await this.log.flushed();
	}

	/** Returns the number of active runs. */
	running(): number {
		return this.#lifecycle.active.size;
	}

	/** Ends runs that a crash has cut off. Before anything else. */
	recover(): Promise<number> {
		return recoverRuns(this.#options.database, this.log);
	}

	/** Takes no new runs from now on; changes nothing and returns false while runs are in flight. Runs that wait are not. */
	closeIfIdle(): boolean {
		if (!this.#lifecycle.isIdle) return false;
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
	#track(row: RunRow, stream: LocalRunStream, resumeContext: ResumeContext, lastPause?: RunResult): void {
		const run = new WorkspaceRun(new EngineRunSegment(stream), {
			row,
			lastPause,
			resumeContext,
			append: (event) => this.log.append(event),
			onOwnEnd: this.#options.countRunEnd,
			onSettled: () => this.#untrack(row.id),
			toRunError: (error) => this.toRunError(error),
		});
		this.#lifecycle.active.add(row.id, run);
		this.#sweepTimer.schedule();
	}

	/** A run is active until its end or its pause is on the disk. */
	async #untrack(id: string): Promise<void> {
		await this.log.flushed();
		const { active } = this.#lifecycle;
		active.delete(id);
		this.#slots.release(id);
		active.feed.notify(id);
	}

	async findPaused(runId: string): Promise<RunRow | undefined> {
		const row = await findRun(this.#options.database, runId);
		return row?.status === "paused" ? row : undefined;
	}

	async listDecisions(row: RunRow): Promise<readonly ApprovalDecision[]> {
		const { approvals = [] } = await this.#getResult(row);
		const ids = approvals.map(({ id }) => id);
		return listDecisions(this.#options.database.read, row.id, ids);
	}

	acquire(row: RunRow): void {
		this.#slots.acquire(row);
	}

	release(runId: string): void {
		this.#slots.release(runId);
	}

	async endPaused(row: RunRow, end: RunEnd): Promise<void> {
		this.log.append(toEnd(row, end, await this.#getResult(row)));
		this.#options.countRunEnd(end.status);
		await this.log.flushed();
	}

	/** Converts an error; one of the service itself is reported to its operator. */
	toRunError(error: unknown): RunError {
		const runError = toRunError(error);
		if (runError.code === "internal_error") this.#options.onFailure(error);
		return runError;
	}

	async #getResult(row: RunRow): Promise<RunResult> {
		const result = await readResult(this.#options.database, row);
		if (result === undefined) throw new Error("A run that waits has no result.");
		return result;
	}

	#assertNotStopping(): void {
		if (this.#lifecycle.isClosing)
			throw new DomainError("shutting_down", "The service is stopping.", { retryAfterSeconds: 5 });
	}
}

/** Makes the terminal event of a run that is not in progress. */
const toEnd = ({ id, last_seq }: RunRow, runEnd: RunEnd, done?: RunResult): LoggedEvent =>
	toLoggedEvent(createTerminalEvent({ runId: id, lastSeq: last_seq, done }, runEnd, clock.now()));

const parseState = ({ state }: SavedState): SerializedRun => JSON.parse(state);
const parseResumeContext = ({ resumeContext }: SavedState): ResumeContext => JSON.parse(resumeContext);

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
