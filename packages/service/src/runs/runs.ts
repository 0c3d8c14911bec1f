import type { ApprovalDecision, Json, JsonObject, RunResult } from "@stemma/core";
import { clock } from "@stemma/core/internal";
import type { SerializedRun } from "@stemma/engine";
import type { LocalAgent, LocalRunStream } from "@stemma/local";
import {
	createRunFeed,
	createRunLog,
	createTerminalEvent,
	type EventRecord,
	type RunEnd,
	type RunLog,
	type WatchOptions,
	waitUntilSettled,
	watchRun,
} from "@stemma/runs";
import type { Kysely } from "kysely";
import { createId } from "../create-id";
import { DomainError } from "../errors/domain-error";
import type { Database } from "../store/database";
import { StorageError } from "../store/storage-error";
import type { WorkspaceTables } from "../store/workspace-tables";
import type { ServiceMetrics } from "../telemetry/service-metrics";
import type { RunObserver } from "../telemetry/service-telemetry";
import { type ActiveRun, followActiveRun } from "./active-run";
import { listDecisions } from "./approvals/approval-rows";
import { createSqliteRunStore } from "./events/sqlite-run-store";
import { INTERNAL_ERROR, type TerminalEntry, toRunError, toTerminalEntry } from "./events/terminal-entry";
import { createKeyedMutex } from "./keyed-mutex";
import { recoverRuns } from "./recover-runs";
import type { ResumeContext } from "./resume-context";
import { findRun, type RunRow, readResult, toInputRow } from "./run-rows";
import { createRunSlots } from "./run-slots";

/** The runs of one workspace: under way in this process, and on the disk. */
export interface Runs {
	/** Takes receipts of calls outside of runs, too. */
	readonly log: RunLog;
	/**
	 * Starts a run, or finds the one that the same request has started. Once this resolves, the run is on the disk and
	 * will end there, whatever happens.
	 *
	 * @param claim - asked within the transaction that makes the run.
	 * @throws DomainError `too_many_runs`, `shutting_down`.
	 */
	start(request: StartRun, claim: ClaimRunId): Promise<RunRow>;
	/**
	 * Goes on with a run that waits for a person, with all that was decided and that it does not know yet; one that is under
	 * way is told. Nothing happens where nothing was decided. Once this resolves, the run is claimed: it goes on once.
	 *
	 * @throws DomainError `too_many_runs`, `shutting_down`: then nothing was decided; and what `decide` throws.
	 */
	resume(runId: string, options: ResumeOptions): Promise<void>;
	/**
	 * The events after a seq as they happen, in portions; ends with the last event of the run, or when it pauses. From the
	 * seq of the pause on, it waits for what comes next.
	 */
	watch(
		runId: string,
		after: number,
		signal: AbortSignal,
		options?: WatchOptions,
	): AsyncIterable<readonly EventRecord[]>;
	/** Resolves once a run has ended or paused, or when the signal aborts. Whoever waits for it watches it. */
	waitUntilSettled(runId: string, signal: AbortSignal): Promise<void>;
	/** Stops a run that is under way or waits for a person; resolves once its end is on the disk. */
	cancel(runId: string): Promise<void>;
	/** Returns the number of active runs. */
	running(): number;
	/** Ends runs that a crash has cut off. Before anything else. */
	recover(): Promise<number>;
	/** Takes no new runs from now on; changes nothing and returns false while runs are in flight. Runs that wait are not. */
	closeIfIdle(): boolean;
	/** Takes new runs again. */
	reopen(): void;
	/** Waits so long for the runs under way, then cancels them; nothing can be started any more. Those that wait wait on. */
	stop(graceMs: number): Promise<void>;
}

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

const UNWATCHED_TIMEOUT_MS = 10 * 60_000;

interface TrackedRun extends ActiveRun {
	/** Promise that resolves once the end or the pause of the run is on the disk. Never rejects. */
	readonly persisted: Promise<void>;
	readonly background: boolean;
	unwatchedTimer: NodeJS.Timeout | undefined;
}

export function createRuns({
	database,
	maxConcurrentRuns,
	unwatchedTimeoutMs = UNWATCHED_TIMEOUT_MS,
	countRunEnd,
	onFailure,
}: RunsOptions): Runs {
	const activeRuns = new Map<string, TrackedRun>();
	const mutex = createKeyedMutex();
	const store = createSqliteRunStore(database);
	const watchers = createRunFeed();
	const slots = createRunSlots(maxConcurrentRuns);
	let isStopping = false;
	const log = createRunLog(store, {
		onFailure,
		onWritten: watchers.publish,
		isRetryable: (error) => !(error instanceof StorageError && error.code === "storage_corrupt"),
	});

	function end(entry: TerminalEntry): void {
		log.append(entry);
		countRunEnd(entry.status);
	}

	/** Makes the terminal event of a run that is not in progress. */
	const toEnd = ({ id, last_seq }: RunRow, runEnd: RunEnd, done?: RunResult): TerminalEntry =>
		toTerminalEntry(createTerminalEvent({ runId: id, lastSeq: last_seq, done }, runEnd, clock.now()));

	/** Restarts the timer of an unwatched run when its last watcher leaves. */
	function restartUnwatchedTimer(runId: string): void {
		const run = activeRuns.get(runId);
		if (run === undefined || run.background) return;
		clearTimeout(run.unwatchedTimer);
		if (watchers.count(runId) > 0) return;
		run.unwatchedTimer = setTimeout(run.cancel, unwatchedTimeoutMs);
		run.unwatchedTimer.unref();
	}

	function startWatching(runId: string, signal: AbortSignal) {
		const watcher = watchers.watch(runId);
		restartUnwatchedTimer(runId);
		function stopWatching(): void {
			watcher.close();
			restartUnwatchedTimer(runId);
		}
		return { watched: { runId, signal, watcher, isActive: () => activeRuns.has(runId) }, stopWatching };
	}

	/** Follows a run that has room. */
	function trackRun(
		{ id, last_seq: seq, background, within }: RunRow,
		stream: LocalRunStream,
		resumeContext: ResumeContext,
	): void {
		const run = followActiveRun(
			stream,
			{ runId: id, seq, resumeContext, isNested: within !== null },
			{ append: log.append, end },
		);
		const persisted = run.ended
			.then(() => log.flushed())
			.catch(onFailure)
			.finally(() => {
				clearTimeout(activeRuns.get(id)?.unwatchedTimer);
				activeRuns.delete(id);
				slots.release(id);
				watchers.notify(id);
			});
		activeRuns.set(id, { ...run, persisted, background: background === 1, unwatchedTimer: undefined });
		restartUnwatchedTimer(id);
	}

	/** Puts the run on the disk, unless the same request has started one before: that one needs no more room. */
	async function insert(row: RunRow, { input, context }: StartRun, claim: ClaimRunId): Promise<RunClaim> {
		try {
			return await database.write.transaction().execute(async (transaction) => {
				const claimed = await claim(row.id, transaction);
				if (claimed.kind === "existing") return claimed;
				slots.acquire(row);
				await transaction.insertInto("runs").values(row).execute();
				await transaction
					.insertInto("run_inputs")
					.values(toInputRow(row.id, input, context))
					.execute();
				return claimed;
			});
		} catch (error) {
			slots.release(row.id);
			throw error;
		}
	}

	async function insertAndStart(row: RunRow, request: StartRun, claim: ClaimRunId): Promise<RunRow> {
		const claimed = await insert(row, request, claim);
		if (claimed.kind === "existing") return (await findRun(database, claimed.runId)) ?? row;
		const { runnable, input, context, untrustedContext, resumeContext, follow } = request;
		const options = { runId: row.id, input, context, untrustedContext };
		try {
			const stream = openWithFollower(follow?.(), (onEvent) => runnable.stream({ ...options, onEvent }));
			trackRun(row, stream, resumeContext);
			return row;
		} catch (error) {
			// Nobody has counted it as started.
			log.append(toEnd(row, { status: "failed", error: INTERNAL_ERROR }));
			slots.release(row.id);
			throw error;
		}
	}

	async function resume(runId: string, options: ResumeOptions): Promise<void> {
		const { decide } = options;
		assertNotStopping();
		const run = activeRuns.get(runId);
		if (run === undefined) return resumePaused(runId, options);
		const decided = await database.write.transaction().execute(decide);
		if (decided.filter((decision) => !run.decide(decision)).length === 0) return;
		// It has paused at this moment.
		await run.persisted;
		await resumePaused(runId, { ...options, decide: async () => [] });
	}

	async function resumePaused(runId: string, options: ResumeOptions): Promise<void> {
		const row = await findRun(database, runId);
		const isPaused = row?.status === "paused";
		if (isPaused) slots.acquire(row);
		let hasStarted = false;
		try {
			await database.write.transaction().execute(options.decide);
			if (isPaused) hasStarted = await startResumed(row, options);
		} finally {
			if (!hasStarted) slots.release(runId);
		}
	}

	async function startResumed(row: RunRow, { prepare, follow }: ResumeOptions): Promise<boolean> {
		const paused = await getResult(row);
		const open = paused.approvals?.map(({ id }) => id) ?? [];
		const decisions = await listDecisions(database.read, row.id, open);
		if (decisions.length === 0 || !(await store.claimPaused(row.id))) return false;
		try {
			const saved = await store.loadState(row.id);
			if (saved === undefined) throw new Error("A run that waits has no state.");
			const state: SerializedRun = JSON.parse(saved.state);
			const resumeContext: ResumeContext = JSON.parse(saved.resumeContext);
			const agent = await prepare(resumeContext);
			const follower = follow?.(row.agent_slug);
			const stream = openWithFollower(follower, (onEvent) => agent.resume(state, { decisions, onEvent }));
			trackRun(row, stream, resumeContext);
			return true;
		} catch (error) {
			const runError = toRunError(error);
			if (runError.code === "internal_error") onFailure(error);
			end(toEnd(row, { status: "failed", error: runError }, paused));
			await log.flushed();
			return false;
		}
	}

	async function cancel(runId: string): Promise<void> {
		const run = activeRuns.get(runId);
		run?.cancel();
		await run?.persisted;
		const row = await findRun(database, runId);
		if (row?.status === "paused" && (await store.claimPaused(runId)))
			end(toEnd(row, { status: "cancelled" }, await getResult(row)));
		await log.flushed();
	}

	async function getResult(row: RunRow): Promise<RunResult> {
		const result = await readResult(database, row);
		if (result === undefined) throw new Error("A run that waits has no result.");
		return result;
	}

	function assertNotStopping(): void {
		if (isStopping)
			throw new DomainError("shutting_down", "The service is stopping.", { retryAfterSeconds: 5 });
	}

	return {
		log,
		async start(request, claim) {
			if (!activeRuns.has(request.parentRunId ?? "")) assertNotStopping();
			const row = toRow(request);
			return mutex.runExclusive(row.id, () => insertAndStart(row, request, claim));
		},
		resume: (runId, options) => mutex.runExclusive(runId, () => resume(runId, options)),
		async *watch(runId, after, signal, options) {
			const { watched, stopWatching } = startWatching(runId, signal);
			try {
				yield* watchRun(store, { ...options, ...watched, after });
			} finally {
				stopWatching();
			}
		},
		async waitUntilSettled(runId, signal) {
			const { watched, stopWatching } = startWatching(runId, signal);
			await waitUntilSettled(store, watched).finally(stopWatching);
		},
		cancel: (runId) => mutex.runExclusive(runId, () => cancel(runId)),
		running: () => activeRuns.size,
		recover: () => recoverRuns(database, log),
		closeIfIdle() {
			if (activeRuns.size + mutex.listPending().length > 0) return false;
			isStopping = true;
			return true;
		},
		reopen() {
			isStopping = false;
		},
		async stop(graceMs) {
			isStopping = true;
			const graceTimer = setTimeout(() => {
				for (const run of activeRuns.values()) run.cancel();
			}, graceMs);
			// Those under way may start others.
			while (activeRuns.size + mutex.listPending().length > 0)
				await Promise.allSettled([
					...mutex.listPending(),
					...[...activeRuns.values()].map(({ persisted }) => persisted),
				]);
			clearTimeout(graceTimer);
			await log.flushed();
		},
	};
}

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
