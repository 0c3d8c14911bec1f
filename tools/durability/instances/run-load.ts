import { setTimeout as wait } from "node:timers/promises";
import { RunFailedError, type Stemma } from "@stemma/client";
import type { Random } from "../random.ts";
import type { StreamedEvent } from "../service/api.ts";
import type { Cluster } from "./cluster.ts";
import { rejoinElsewhere } from "./rejoin-run.ts";
import { askQuestion, createKey, replaceSettings, uploadDocument, type Writes } from "./write-load.ts";

/** A run that was acknowledged, and what was seen of it. */
export interface SeenRun {
	readonly id: string;
	readonly kind: "streamed" | "rejoined" | "approved" | "cancelled" | "paused";
	readonly events: StreamedEvent[];
}

/** Runs of all workers, in the order of their starts. */
export interface RunLoad {
	readonly cluster: Cluster;
	/** Through the proxy, as users have it. */
	readonly stemma: Stemma;
	readonly random: Random;
	readonly runs: SeenRun[];
	readonly signal: AbortSignal;
	/** Number of orders so far: each is of one run. */
	orders: number;
	/** Number of streams that were joined again on another instance while their run was in progress. */
	rejoined: number;
	/** What else was acknowledged. */
	readonly writes: Writes;
}

interface EventPage {
	readonly data: readonly StreamedEvent[];
}

/** By how often they are done. */
const RUNS = [streamRun, rejoinRun, rejoinRun, approveRun, approveRun, cancelRun, pauseRun];
const WRITES = [uploadDocument, createKey, replaceSettings, askQuestion];

/**
 * Does one thing after the other, through the proxy, until the load ends: starts runs and follows them, uploads,
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

/** The client joins its stream again, wherever the proxy sends it. */
async function streamRun(load: RunLoad): Promise<void> {
	const stream = load.stemma.agents.stream("plain", createInput(load));
	const events: StreamedEvent[] = [];
	for await (const event of stream) {
		if (events.length === 0) load.runs.push({ id: event.run_id, kind: "streamed", events });
		events.push(event);
	}
}

/** Reads a run to its end, a few events on each instance. */
async function rejoinRun(load: RunLoad): Promise<void> {
	await rejoinElsewhere(load, await startRun(load, "plain", "rejoined"));
}

async function approveRun(load: RunLoad): Promise<void> {
	const run = await startRun(load, "guarded", "approved");
	const [approval] = await followRun(load, run);
	if (approval === undefined) return;
	await load.stemma.runs.decide(run.id, approval.id, { decision: "approve" });
	await followRun(load, run);
}

async function pauseRun(load: RunLoad): Promise<void> {
	await followRun(load, await startRun(load, "guarded", "paused"));
}

async function cancelRun(load: RunLoad): Promise<void> {
	const { id } = await startRun(load, "plain", "cancelled");
	await wait(load.random.between(0, 200));
	await load.stemma.runs.cancel(id);
}

function createInput(load: RunLoad): { readonly input: { readonly input: string } } {
	load.orders += 1;
	return { input: { input: `order ${load.orders}` } };
}

async function startRun(load: RunLoad, agent: string, kind: SeenRun["kind"]): Promise<SeenRun> {
	const { id } = await load.stemma.agents.start(agent, createInput(load));
	const run: SeenRun = { id, kind, events: [] };
	load.runs.push(run);
	return run;
}

/** Reads a run until it ends or pauses. Returns what it waits for. */
async function followRun({ stemma }: RunLoad, { id, events }: SeenRun): Promise<readonly { id: string }[]> {
	const stream = stemma.runs.stream(id, { after: events.at(-1)?.seq ?? 0 });
	for await (const event of stream) events.push(event);
	return (await stream.result().catch(ignoreFailed))?.approvals ?? [];
}

/** Kills have ended it: what it failed with is checked later. */
function ignoreFailed(error: unknown): undefined {
	if (!RunFailedError.is(error)) throw error;
}
