import { setTimeout as wait } from "node:timers/promises";
import type { Random } from "../random.ts";
import type { StreamedEvent } from "../service/api.ts";
import type { Cluster } from "./cluster.ts";
import { askQuestion, createKey, replaceSettings, uploadDocument, type Writes } from "./write-load.ts";

/** A run that was acknowledged, and what was seen of it. */
export interface SeenRun {
	readonly id: string;
	readonly kind: "streamed" | "approved" | "cancelled" | "paused";
	readonly events: StreamedEvent[];
}

/** Runs of all workers, in the order of their starts. */
export interface RunLoad {
	readonly cluster: Cluster;
	readonly random: Random;
	readonly runs: SeenRun[];
	readonly signal: AbortSignal;
	/** Number of orders so far: each is of one run. */
	orders: number;
	/** What else was acknowledged. */
	readonly writes: Writes;
}

interface EventPage {
	readonly data: readonly StreamedEvent[];
	readonly done: boolean;
}

interface RunRecord {
	readonly status: string;
	readonly result?: { readonly approvals?: readonly { readonly id: string }[] };
}

/** By how often they are done. */
const RUNS = [streamRun, streamRun, approveRun, approveRun, cancelRun, pauseRun];
const WRITES = [uploadDocument, createKey, replaceSettings, askQuestion];

/**
 * Does one thing after the other, on whichever instance there is, until the load ends: starts runs and follows them, uploads,
 * asks, creates keys and changes settings.
 */
export async function loadWithRuns(load: RunLoad): Promise<void> {
	while (!load.signal.aborted) {
		if (load.random.next() < 0.6) await load.random.pick(RUNS)?.(load);
		else await load.random.pick(WRITES)?.(load.cluster, load.writes);
		await wait(load.random.between(0, 20));
	}
}

/** Reads all events of a run. */
export async function readRunEvents(cluster: Cluster, id: string): Promise<StreamedEvent[]> {
	const events: StreamedEvent[] = [];
	for (;;) {
		const path = `/v1/runs/${id}/events?after=${events.length}`;
		const { data } = await cluster.send((api) => api.get<EventPage>(path));
		if (data.length === 0) return events;
		events.push(...data.map(({ run_token: _, ...event }) => event));
	}
}

/** Watches a run as it happens; where the stream is cut off, it is joined again on any instance. */
async function streamRun(load: RunLoad): Promise<void> {
	const run = await startRun(load, "plain", "streamed");
	for (;;) {
		const path = `/v1/runs/${run.id}/events?after=${run.events.length}&wait_ms=20000`;
		const { data, done } = await load.cluster.send((api) => api.get<EventPage>(path));
		run.events.push(...data.map(({ run_token: _, ...event }) => event));
		if (done) return;
	}
}

async function approveRun(load: RunLoad): Promise<void> {
	const run = await startRun(load, "guarded", "approved");
	const [approval] = await untilPaused(load, run);
	if (approval === undefined) return;
	await load.cluster.send((api) =>
		api.post(`/v1/runs/${run.id}/approvals/${approval}`, { decision: "approve" }).catch(ignoreEnded),
	);
}

async function pauseRun(load: RunLoad): Promise<void> {
	await untilPaused(load, await startRun(load, "guarded", "paused"));
}

async function cancelRun(load: RunLoad): Promise<void> {
	const { id } = await startRun(load, "plain", "cancelled");
	await wait(load.random.between(0, 200));
	await load.cluster.send((api) => api.post(`/v1/runs/${id}/cancel`, {}).catch(ignoreEnded));
}

/** A kill may have ended the run before. */
function ignoreEnded(error: unknown): void {
	if (!String(error).includes("run_ended")) throw error;
}

async function startRun(load: RunLoad, agent: string, kind: SeenRun["kind"]): Promise<SeenRun> {
	load.orders += 1;
	const body = { input: { input: `order ${load.orders}` }, background: true };
	const headers = { "idempotency-key": `order-${load.orders}` };
	const { id } = await load.cluster.send((api) =>
		api.post<{ id: string }>(`/v1/agents/${agent}/run`, body, headers),
	);
	const run: SeenRun = { id, kind, events: [] };
	load.runs.push(run);
	return run;
}

async function untilPaused({ cluster }: RunLoad, { id }: SeenRun): Promise<readonly string[]> {
	for (;;) {
		const { status, result } = await cluster.send((api) => api.get<RunRecord>(`/v1/runs/${id}`));
		if (status === "paused") return result?.approvals?.map((approval) => approval.id) ?? [];
		if (status !== "running") return [];
		await wait(30);
	}
}
