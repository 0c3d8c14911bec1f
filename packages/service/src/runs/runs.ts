import type { WireRunEvent } from "@stemma/client";
import type { Json, JsonObject } from "@stemma/core";
import type { LocalAgent } from "@stemma/local";
import type { Kysely } from "kysely";
import { createNewId } from "../auth/new-id";
import { ApiError } from "../http/api-error";
import type { RunClaim } from "../http/idempotency";
import type { Database } from "../store/database";
import type { WorkspaceTables } from "../store/workspace-tables";
import { toInterruptedEvent } from "./interrupted-run";
import { type LiveRun, startLiveRun } from "./live-run";
import { createRunLog, type RunLog } from "./run-log";
import { findRun, type RunRow, readEvents, readReceipts } from "./run-rows";
import { createRunWatchers } from "./run-watchers";

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
	/** The events after a seq as they happen, in portions; ends with the last event of the run. */
	watch(runId: string, after: number, signal: AbortSignal): AsyncIterable<readonly WireRunEvent[]>;
	/** Stops a run that is under way; resolves once its end is on the disk. */
	cancel(runId: string): Promise<void>;
	/** Ends runs that a crash has cut off. Before anything else. */
	recover(): Promise<number>;
	/** Waits so long for the runs under way, then cancels them; nothing can be started any more. */
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
	readonly startedBy: string;
	/** The run under way that needs it: it may begin while the service stops. */
	readonly within?: string | undefined;
}

/** Takes an id for a request, or tells which run the same request has started before. */
export type ClaimRunId = (runId: string, transaction: Kysely<WorkspaceTables>) => Promise<RunClaim>;

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
	readonly onFailure: (error: unknown) => void;
}

const UNWATCHED_MS = 10 * 60_000;
const PORTION = 200;
/** Of all runs at once: one page's key must not keep everyone else out. */
const CLIENT_KEY_SHARE = 0.25;

const isClientKey = (caller: string): boolean => caller.startsWith("ck_");

interface Live extends LiveRun {
	/** Its end is on the disk. Never fails. */
	readonly settled: Promise<void>;
	readonly background: boolean;
	unwatched: NodeJS.Timeout | undefined;
}

export function createRuns({ database, maxLive, unwatchedMs = UNWATCHED_MS, onFailure }: RunsOptions): Runs {
	const live = new Map<string, Live>();
	/** On their way to the disk, and not under way yet. */
	const starting = new Map<string, Promise<unknown>>();
	const watchers = createRunWatchers();
	/** Who started each run that is under way or about to be. */
	const rooms = new Map<string, string>();
	let isStopping = false;
	const log = createRunLog(database, {
		onFailure,
		onWritten(events) {
			for (const runId of new Set(events.map((event) => event.runId))) watchers.wake(runId);
		},
	});

	/** Whoever leaves last starts the clock. */
	function watchUnwatched(runId: string): void {
		const run = live.get(runId);
		if (run === undefined || run.background) return;
		clearTimeout(run.unwatched);
		if (watchers.count(runId) > 0) return;
		run.unwatched = setTimeout(run.cancel, unwatchedMs);
		run.unwatched.unref();
	}

	/** Keeps room for a run until it has ended. */
	function takeRoom({ id, started_by }: RunRow): void {
		const ofCaller = [...rooms.values()].filter((caller) => caller === started_by).length;
		const most = isClientKey(started_by) ? Math.ceil(maxLive * CLIENT_KEY_SHARE) : maxLive;
		if (rooms.size >= maxLive || ofCaller >= most)
			throw new ApiError(
				429,
				"too_many_runs",
				`${Math.min(most, maxLive)} runs are under way, and no more may be at once.`,
				{
					hint: "Try again when one has ended, or raise limits.concurrent_runs.",
					retryAfterSeconds: 1,
				},
			);
		rooms.set(id, started_by);
	}

	function begin(row: RunRow, request: StartRun): void {
		const { input, context, untrustedContext, background } = request;
		const started = startLiveRun(
			request.runnable,
			{ runId: row.id, input, context, untrustedContext },
			log.append,
		);
		const settled = started.ended
			.then(() => log.flushed())
			.catch(onFailure)
			.finally(() => {
				clearTimeout(live.get(row.id)?.unwatched);
				live.delete(row.id);
				rooms.delete(row.id);
				watchers.wake(row.id);
			});
		live.set(row.id, { ...started, settled, background, unwatched: undefined });
		watchUnwatched(row.id);
	}

	/** Puts the run on the disk, unless the same request has started one before: that one needs no more room. */
	async function insert(row: RunRow, claim: ClaimRunId): Promise<RunClaim> {
		try {
			return await database.write.transaction().execute(async (transaction) => {
				const claimed = await claim(row.id, transaction);
				if (claimed.kind === "run") return claimed;
				takeRoom(row);
				await transaction.insertInto("runs").values(row).execute();
				return claimed;
			});
		} catch (error) {
			rooms.delete(row.id);
			throw error;
		}
	}

	async function insertAndBegin(row: RunRow, request: StartRun, claim: ClaimRunId): Promise<RunRow> {
		const claimed = await insert(row, claim);
		if (claimed.kind === "run") return (await findRun(database, claimed.runId)) ?? row;
		begin(row, request);
		return row;
	}

	return {
		log,
		async start(request, claim) {
			if (isStopping && !live.has(request.within ?? ""))
				throw new ApiError(503, "shutting_down", "The service is stopping.", { retryAfterSeconds: 5 });
			const row = toRow(request);
			const started = insertAndBegin(row, request, claim);
			starting.set(row.id, started);
			return started.finally(() => starting.delete(row.id));
		},
		async *watch(runId, after, signal) {
			const watcher = watchers.watch(runId);
			watchUnwatched(runId);
			try {
				let seq = after;
				for (;;) {
					const events = await readEvents(database, runId, seq, PORTION);
					if (events.length > 0) yield events;
					seq = events.at(-1)?.seq ?? seq;
					if (isLast(events.at(-1))) return;
					if (events.length > 0) continue;
					const row = live.has(runId) ? undefined : await findRun(database, runId);
					if (row !== undefined && row.status !== "running" && row.last_seq <= seq) return;
					if (signal.aborted) return;
					await watcher.news(signal);
				}
			} finally {
				watcher.end();
				watchUnwatched(runId);
			}
		},
		async cancel(runId) {
			// On the disk, where it is seen, it is a moment before it is under way.
			await starting.get(runId)?.catch(() => undefined);
			const run = live.get(runId);
			run?.cancel();
			await run?.settled;
			await log.flushed();
		},
		recover: () => recover(database, log),
		async stop(graceMs) {
			isStopping = true;
			const late = setTimeout(() => {
				for (const run of live.values()) run.cancel();
			}, graceMs);
			// Those under way may start others.
			while (live.size + starting.size > 0)
				await Promise.allSettled([...starting.values(), ...[...live.values()].map(({ settled }) => settled)]);
			clearTimeout(late);
			await log.flushed();
		},
	};
}

function toRow({ agent, background, startedBy }: StartRun): RunRow {
	const now = Date.now();
	return {
		id: createNewId("run"),
		agent_id: agent.id,
		agent_slug: agent.slug,
		agent_version: agent.version,
		status: "running",
		background: background ? 1 : 0,
		started_by: startedBy,
		created_at: now,
		ended_at: null,
		last_seq: 0,
	};
}

const isLast = (event: WireRunEvent | undefined): boolean =>
	event?.type === "run.completed" || event?.type === "run.failed" || event?.type === "run.cancelled";

async function recover(database: Database<WorkspaceTables>, log: RunLog): Promise<number> {
	const cut = await database.read.selectFrom("runs").select("id").where("status", "=", "running").execute();
	for (const { id } of cut) {
		const [events, receipt] = await Promise.all([
			readEvents(database, id, 0, Number.MAX_SAFE_INTEGER),
			readReceipts(database, id),
		]);
		const now = Date.now();
		const event = toInterruptedEvent(id, events, receipt, now);
		log.append({ runId: id, seq: event.seq, event: JSON.stringify(event), status: "failed", endedAt: now });
	}
	await log.flushed();
	return cut.length;
}
