import type { WireRunEvent } from "@stemma/client";
import type { ApprovalDecision, Json, JsonObject, RunResult } from "@stemma/core";
import { clock } from "@stemma/core/internal";
import type { LocalAgent, LocalRunStream } from "@stemma/local";
import type { Kysely } from "kysely";
import { createNewId } from "../auth/new-id";
import { ApiError } from "../http/api-error";
import type { RunClaim } from "../http/idempotency";
import type { Database } from "../store/database";
import type { WorkspaceTables } from "../store/workspace-tables";
import type { ServiceMetrics } from "../telemetry/service-metrics";
import type { RunFollower } from "../telemetry/service-telemetry";
import type { RunEnd } from "./append-events-job";
import { claimWaitingRun, findSavedRun, listDecisions } from "./approval-rows";
import { endBrokenRun } from "./broken-run";
import { endWaitingRun, toEndError } from "./end-waiting-run";
import { followLiveRun, type LiveRun } from "./live-run";
import { recoverRuns } from "./recover-runs";
import { createRooms } from "./rooms";
import { createRunLog, type RunLog } from "./run-log";
import { findRun, type RunRow, readResult, toInputRow } from "./run-rows";
import type { RunSetting } from "./run-setting";
import { createRunTurns } from "./run-turns";
import { createRunWatchers } from "./run-watchers";
import { type WatchOptions, waitForRest, watchRun } from "./watch-run";

/** The runs of one workspace: under way in this process, and on the disk. */
export interface Runs {
	/** Takes receipts of calls outside of runs, too. */
	readonly log: RunLog;
	/**
	 * Starts a run, or finds the one that the same request has started. Once this resolves, the run is on the disk and
	 * will end there, whatever happens.
	 *
	 * @param claim - asked within the transaction that makes the run.
	 * @throws ApiError `too_many_runs`, `shutting_down`.
	 */
	start(request: StartRun, claim: ClaimRunId): Promise<RunRow>;
	/**
	 * Goes on with a run that waits for a person, with all that was decided and that it does not know yet; one that is under
	 * way is told. Nothing happens where nothing was decided. Once this resolves, the run is claimed: it goes on once.
	 *
	 * @throws ApiError `too_many_runs`, `shutting_down`: then nothing was decided; and what `decide` throws.
	 */
	goOn(runId: string, continuation: RunContinuation): Promise<void>;
	/**
	 * The events after a seq as they happen, in portions; ends with the last event of the run, or when it pauses. From the
	 * seq of the pause on, it waits for what comes next.
	 */
	watch(
		runId: string,
		after: number,
		signal: AbortSignal,
		options?: WatchOptions,
	): AsyncIterable<readonly WireRunEvent[]>;
	/** Resolves once a run has ended or paused, or when the signal aborts. Whoever waits for it watches it. */
	rest(runId: string, signal: AbortSignal): Promise<void>;
	/** Stops a run that is under way or waits for a person; resolves once its end is on the disk. */
	cancel(runId: string): Promise<void>;
	/** How many runs are under way. */
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
	/** What it is continued by after a pause. */
	readonly setting: RunSetting;
	/** The run under way that needs it: it may begin while the service stops, and waits for nobody. */
	readonly within?: string | undefined;
	/** Follows it, once it begins. */
	readonly follow?: (() => RunFollower) | undefined;
}

/** Takes an id for a request, or tells which run the same request has started before. */
export type ClaimRunId = (runId: string, transaction: Kysely<WorkspaceTables>) => Promise<RunClaim>;

/** How a run that waits goes on. */
export interface RunContinuation {
	/** Writes down what is decided on approvals now, and tells it. What it throws, is thrown. */
	decide(transaction: Kysely<WorkspaceTables>): Promise<readonly ApprovalDecision[]>;
	/** Makes its agent ready anew. What this throws ends the run as failed. */
	prepare(setting: RunSetting): Promise<LocalAgent>;
	/** Follows the run of an agent, by its slug, once it goes on. */
	readonly follow?: ((agent: string) => RunFollower) | undefined;
}

export interface RunAgent {
	readonly id: string;
	readonly slug: string;
	readonly version: number;
}

export interface RunsOptions {
	readonly database: Database<WorkspaceTables>;
	/** How many may be under way at once. */
	readonly maxLive: number;
	/** How long a run goes on that nobody watches. */
	readonly unwatchedMs?: number;
	/** Counts an end that no event of the engine tells of. */
	readonly countRunEnd: ServiceMetrics["countRunEnd"];
	readonly onFailure: (error: unknown) => void;
}

const UNWATCHED_MS = 10 * 60_000;

interface Live extends LiveRun {
	/** Its end, or its pause, is on the disk. Never fails. */
	readonly settled: Promise<void>;
	readonly background: boolean;
	unwatched: NodeJS.Timeout | undefined;
}

export function createRuns({
	database,
	maxLive,
	unwatchedMs = UNWATCHED_MS,
	countRunEnd,
	onFailure,
}: RunsOptions): Runs {
	const live = new Map<string, Live>();
	const turns = createRunTurns();
	const watchers = createRunWatchers();
	const rooms = createRooms(maxLive);
	let isStopping = false;
	const log = createRunLog(database, {
		onFailure,
		onWritten(events) {
			for (const runId of new Set(events.map((event) => event.runId))) watchers.wake(runId);
		},
	});

	function end(event: RunEnd): void {
		log.append(event);
		countRunEnd(event.status);
	}

	/** Whoever leaves last starts the clock. */
	function watchUnwatched(runId: string): void {
		const run = live.get(runId);
		if (run === undefined || run.background) return;
		clearTimeout(run.unwatched);
		if (watchers.count(runId) > 0) return;
		run.unwatched = setTimeout(run.cancel, unwatchedMs);
		run.unwatched.unref();
	}

	function startWatching(runId: string, signal: AbortSignal) {
		const watcher = watchers.watch(runId);
		watchUnwatched(runId);
		function leave(): void {
			watcher.end();
			watchUnwatched(runId);
		}
		return { watched: { runId, signal, watcher, isLive: () => live.has(runId) }, leave };
	}

	/** Follows a run that has room. */
	function begin(
		{ id, last_seq: seq, background, within }: RunRow,
		stream: LocalRunStream,
		setting: RunSetting,
	): void {
		const run = followLiveRun(
			stream,
			{ runId: id, seq, setting, isWithin: within !== null },
			{ append: log.append, end },
		);
		const settled = run.ended
			.then(() => log.flushed())
			.catch(onFailure)
			.finally(() => {
				clearTimeout(live.get(id)?.unwatched);
				live.delete(id);
				rooms.leave(id);
				watchers.wake(id);
			});
		live.set(id, { ...run, settled, background: background === 1, unwatched: undefined });
		watchUnwatched(id);
	}

	/** Puts the run on the disk, unless the same request has started one before: that one needs no more room. */
	async function insert(row: RunRow, { input, context }: StartRun, claim: ClaimRunId): Promise<RunClaim> {
		try {
			return await database.write.transaction().execute(async (transaction) => {
				const claimed = await claim(row.id, transaction);
				if (claimed.kind === "run") return claimed;
				rooms.take(row);
				await transaction.insertInto("runs").values(row).execute();
				await transaction
					.insertInto("run_inputs")
					.values(toInputRow(row.id, input, context))
					.execute();
				return claimed;
			});
		} catch (error) {
			rooms.leave(row.id);
			throw error;
		}
	}

	async function insertAndBegin(row: RunRow, request: StartRun, claim: ClaimRunId): Promise<RunRow> {
		const claimed = await insert(row, request, claim);
		if (claimed.kind === "run") return (await findRun(database, claimed.runId)) ?? row;
		const { runnable, input, context, untrustedContext, setting, follow } = request;
		const options = { runId: row.id, input, context, untrustedContext };
		try {
			const stream = openFollowed(follow?.(), (onEvent) => runnable.stream({ ...options, onEvent }));
			begin(row, stream, setting);
			return row;
		} catch (error) {
			// Nobody has counted it as started.
			log.append(endBrokenRun(row.id, row.last_seq + 1, clock.now()));
			rooms.leave(row.id);
			throw error;
		}
	}

	async function goOn(runId: string, continuation: RunContinuation): Promise<void> {
		const { decide } = continuation;
		demandGoing();
		const run = live.get(runId);
		if (run === undefined) return goOnWaiting(runId, continuation);
		const decided = await database.write.transaction().execute(decide);
		if (decided.filter((decision) => !run.decide(decision)).length === 0) return;
		// It has paused at this moment.
		await run.settled;
		await goOnWaiting(runId, { ...continuation, decide: async () => [] });
	}

	async function goOnWaiting(runId: string, continuation: RunContinuation): Promise<void> {
		const row = await findRun(database, runId);
		const isWaiting = row?.status === "paused";
		if (isWaiting) rooms.take(row);
		let hasBegun = false;
		try {
			await database.write.transaction().execute(continuation.decide);
			if (isWaiting) hasBegun = await beginAgain(row, continuation);
		} finally {
			if (!hasBegun) rooms.leave(runId);
		}
	}

	async function beginAgain(row: RunRow, { prepare, follow }: RunContinuation): Promise<boolean> {
		const paused = await demandResult(row);
		const open = paused.approvals?.map(({ id }) => id) ?? [];
		const decisions = await listDecisions(database.read, row.id, open);
		if (decisions.length === 0 || !(await claimWaitingRun(database.write, row.id))) return false;
		try {
			const saved = await findSavedRun(database.read, row.id);
			if (saved === undefined) throw new Error("A run that waits has no state.");
			const { state, setting } = saved;
			const agent = await prepare(setting);
			const follower = follow?.(row.agent_slug);
			const stream = openFollowed(follower, (onEvent) => agent.resume(state, { decisions, onEvent }));
			begin(row, stream, setting);
			return true;
		} catch (error) {
			const told = toEndError(error);
			if (told.code === "internal_error") onFailure(error);
			end(endWaitingRun(row, paused, { status: "failed", error: told }, clock.now()));
			await log.flushed();
			return false;
		}
	}

	async function cancel(runId: string): Promise<void> {
		const run = live.get(runId);
		run?.cancel();
		await run?.settled;
		const row = await findRun(database, runId);
		if (row?.status === "paused" && (await claimWaitingRun(database.write, runId)))
			end(endWaitingRun(row, await demandResult(row), { status: "cancelled" }, clock.now()));
		await log.flushed();
	}

	async function demandResult(row: RunRow): Promise<RunResult> {
		const result = await readResult(database, row);
		if (result === undefined) throw new Error("A run that waits has no result.");
		return result;
	}

	function demandGoing(): void {
		if (isStopping)
			throw new ApiError(503, "shutting_down", "The service is stopping.", { retryAfterSeconds: 5 });
	}

	return {
		log,
		async start(request, claim) {
			if (!live.has(request.within ?? "")) demandGoing();
			const row = toRow(request);
			return turns.take(row.id, () => insertAndBegin(row, request, claim));
		},
		goOn: (runId, continuation) => turns.take(runId, () => goOn(runId, continuation)),
		async *watch(runId, after, signal, options) {
			const { watched, leave } = startWatching(runId, signal);
			try {
				yield* watchRun(database, { ...options, ...watched, after });
			} finally {
				leave();
			}
		},
		async rest(runId, signal) {
			const { watched, leave } = startWatching(runId, signal);
			await waitForRest(database, watched).finally(leave);
		},
		cancel: (runId) => turns.take(runId, () => cancel(runId)),
		running: () => live.size,
		recover: () => recoverRuns(database, log),
		closeIfIdle() {
			if (live.size + turns.all().length > 0) return false;
			isStopping = true;
			return true;
		},
		reopen() {
			isStopping = false;
		},
		async stop(graceMs) {
			isStopping = true;
			const late = setTimeout(() => {
				for (const run of live.values()) run.cancel();
			}, graceMs);
			// Those under way may start others.
			while (live.size + turns.all().length > 0)
				await Promise.allSettled([...turns.all(), ...[...live.values()].map(({ settled }) => settled)]);
			clearTimeout(late);
			await log.flushed();
		},
	};
}

/** Opens the stream of a run; where that fails, there is nothing to follow. */
function openFollowed(
	follower: RunFollower | undefined,
	open: (onEvent: RunFollower["onEvent"] | undefined) => LocalRunStream,
): LocalRunStream {
	try {
		return open(follower?.onEvent);
	} catch (error) {
		follower?.refuse(toEndError(error).code);
		throw error;
	}
}

function toRow({ agent, background, setting, within }: StartRun): RunRow {
	const now = clock.now();
	return {
		id: createNewId("run"),
		agent_id: agent.id,
		agent_slug: agent.slug,
		agent_version: agent.version,
		status: "running",
		background: background ? 1 : 0,
		started_by: setting.caller.id,
		created_at: now,
		ended_at: null,
		last_seq: 0,
		within: within ?? null,
	};
}
