import { setTimeout as wait } from "node:timers/promises";
import type { EventPage } from "@stemma/client";
import { createHarness } from "@stemma/simulators/processes";
import { afterAll, expect, it, onTestFailed } from "vitest";
import { followCompletion } from "./runtime/follow-completion.ts";
import { type FollowedRun, followRun } from "./runtime/follow-run.ts";
import { quantile } from "./runtime/quantile.ts";
import { createRuntimeFixture, FIXTURE_AGENTS } from "./runtime/runtime-fixture.ts";
import type { RuntimeProcess } from "./runtime/runtime-process.ts";
import { readStamps } from "./runtime/stamp.ts";
import { fetchToken } from "./service/api.ts";

const isLong = process.env.STEMMA_DURABILITY_RUNTIME_SECONDS !== undefined;
const seconds = Number(process.env.STEMMA_DURABILITY_RUNTIME_SECONDS ?? 6);
const streams = Number(process.env.STEMMA_DURABILITY_RUNTIME_STREAMS ?? (isLong ? 200 : 50));
const seed = Number(process.env.STEMMA_DURABILITY_SEED ?? process.env.STEMMA_SEED ?? 1);
const CHUNKS = 20;
/** All streams together bring 1,000 events a second. */
const PAUSE_MS = streams;
/** Of the vendor's calls; more where there are few. */
const FAILING = isLong ? 0.05 : 0.2;
/** Until all streams are open. */
const WARM_UP_MS = CHUNKS * PAUSE_MS + (isLong ? 10_000 : 0);

const harness = createHarness();
afterAll(() => harness.end());

interface Tally {
	readonly completed: Record<string, number>;
	readonly failed: Record<string, number>;
	/** From the vendor's hand into ours, in milliseconds. */
	readonly delays: number[];
	/** … without a runtime between. */
	readonly serviceDelays: number[];
	/** … without anything between: what this machine does to all of them. */
	readonly vendorDelays: number[];
	/** From the time that an event says into ours. */
	readonly runtimeDelays: number[];
	events: number;
	/** Of the events, as JSON: the runtime keeps them for a while. */
	characters: number;
}

it(`${streams} streams for ${seconds} s, with a vendor that fails`, { timeout: 900_000 }, async () => {
	onTestFailed(() => console.error(`STEMMA_DURABILITY_SEED=${seed}`));
	const fixture = await createRuntimeFixture(harness, {
		chunks: CHUNKS,
		pauseMs: PAUSE_MS,
		failing: FAILING,
		seed,
	});
	const { runtime } = fixture;
	const tally: Tally = {
		completed: {},
		failed: {},
		delays: [],
		serviceDelays: [],
		vendorDelays: [],
		runtimeDelays: [],
		events: 0,
		characters: 0,
	};
	const started = performance.now();
	const isOver = (): boolean => performance.now() - started > WARM_UP_MS + seconds * 1000;
	const isWarm = (): boolean => performance.now() - started > WARM_UP_MS;
	const memory = watchMemory(runtime, isWarm, isOver, () => tally.characters / 2 ** 20);
	const token = await fetchToken(fixture.service.url, fixture.service.credentials);
	const controls = [fixture.vendorUrl, `${fixture.service.url}/v1`].flatMap((url, which) =>
		Array.from({ length: streams / 20 }, async () => {
			while (!isOver()) {
				const delays = await followCompletion(url, token);
				if (isWarm()) tally[which === 0 ? "vendorDelays" : "serviceDelays"].push(...delays);
			}
		}),
	);
	await Promise.all(
		Array.from({ length: streams }, async (_, index) => {
			// Runs begin and end at any moment, not all of them at the same.
			await wait((index / streams) * CHUNKS * PAUSE_MS);
			while (!isOver()) await runOnce(runtime, FIXTURE_AGENTS[index % 4] ?? "plain", tally, isWarm);
		}),
	);
	await Promise.all([memory, ...controls]);
	const stats = { ...summarize(tally), ...(await memory) };
	if (isLong) console.info(JSON.stringify(stats, undefined, "\t"));
	expectWork(tally);
	if (isLong) {
		expect(stats.live - stats.liveAtFirst).toBeLessThan(MAX_GROWTH * stats.kept);
		expect(stats.vendorDelays.p99, "this machine is too busy to measure").toBeLessThan(5);
		expect(stats.delays.p99 - stats.serviceDelays.p99).toBeLessThan(10);
	}
	runtime.kill("SIGTERM");
	expect(await runtime.ended).toEqual({ code: 0, signal: null });
});

/** Megabytes that one of events may take. */
const MAX_GROWTH = 3;

/** One run to its end: every event once, in order, and the same when it is asked for again. */
async function runOnce(
	{ url }: RuntimeProcess,
	agent: string,
	tally: Tally,
	isWarm: () => boolean,
): Promise<void> {
	const counts = isWarm();
	const run = await followRun(url, agent);
	const message = `${agent}: ${JSON.stringify(run.events.at(-1))}`;
	const { events } = run;
	const last = events.at(-1);
	if (events.length === 0 || last === undefined) {
		// A run of the service that could not be started is refused, as the service refused it.
		throw run.interruption;
	}
	expect(run.interruption, message).toBeUndefined();
	expect(
		events.map(({ seq }) => seq),
		message,
	).toEqual(events.map((_, index) => index + 1));
	const again = (await (await fetch(`${url}/runs/${last.run_id}/events?after=0`)).json()) as EventPage;
	expect(again, message).toEqual({ data: events, done: true });
	expectStampsOnce(run, agent);
	if (last.type === "run.completed") add(tally.completed, agent);
	else if (last.type === "run.failed") add(tally.failed, last.error.code);
	else throw new Error(`Nobody wanted this end: ${message}`);
	tally.characters += JSON.stringify(events).length;
	if (!counts) return;
	tally.events += events.length;
	if (agent === "plain") tally.delays.push(...delaysOf(run));
	if (agent === "plain")
		tally.runtimeDelays.push(...run.events.map(({ at }, index) => (run.times[index] ?? 0) - Date.parse(at)));
}

const add = (counts: Record<string, number>, name: string): void => {
	counts[name] = (counts[name] ?? 0) + 1;
};

const stampsOf = ({ events }: FollowedRun): number[] =>
	events.flatMap((event) => (event.type === "text.delta" ? readStamps(event.text) : []));

/** What the vendor wrote came once, in order, and all of it where the run was completed. */
function expectStampsOnce(run: FollowedRun, agent: string): void {
	const stamps = stampsOf(run);
	expect(stamps).toEqual([...stamps].sort((one, other) => one - other));
	expect(new Set(stamps).size).toBe(stamps.length);
	if (agent !== "nested" && run.events.at(-1)?.type === "run.completed") expect(stamps).toHaveLength(CHUNKS);
}

/** From the vendor's hand into ours, through service and runtime, in milliseconds. */
const delaysOf = ({ events, times }: FollowedRun): number[] =>
	events.flatMap((event, index) =>
		event.type === "text.delta" ? readStamps(event.text).map((stamp) => (times[index] ?? 0) - stamp) : [],
	);

interface MemoryStats {
	/** Resident, in megabytes; undefined where the system does not tell. */
	readonly peak: number | undefined;
	/** What is left after collections, at the end and at the beginning. */
	readonly live: number;
	readonly liveAtFirst: number;
	/** Megabytes of events that were kept meanwhile. */
	readonly kept: number;
}

/** Of the time after the warm-up. */
async function watchMemory(
	runtime: RuntimeProcess,
	isWarm: () => boolean,
	isOver: () => boolean,
	liveHeapMegabytes: () => number,
): Promise<MemoryStats> {
	const resident: number[] = [];
	let from: { readonly at: number; readonly kept: number } | undefined;
	for (; !isOver(); await wait(250)) {
		if (!isWarm()) continue;
		from ??= { at: performance.now(), kept: liveHeapMegabytes() };
		resident.push((await runtime.residentMegabytes()) ?? Number.NaN);
	}
	const heaps = runtime.liveHeaps.filter(({ at }) => at > (from?.at ?? 0)).map(({ megabytes }) => megabytes);
	const some = Math.ceil(heaps.length / 5);
	return {
		peak: resident.includes(Number.NaN) ? undefined : Math.max(...resident),
		live: quantile(heaps.slice(-some), 0.5),
		liveAtFirst: quantile(heaps.slice(0, some), 0.5),
		kept: liveHeapMegabytes() - (from?.kept ?? 0),
	};
}

const summarizeDelays = (delays: readonly number[]) => ({
	p50: quantile(delays, 0.5),
	p99: quantile(delays, 0.99),
	most: quantile(delays, 1),
});

function summarize({
	completed,
	failed,
	events,
	characters,
	delays,
	serviceDelays,
	vendorDelays,
	runtimeDelays,
}: Tally) {
	return {
		...{ streams, seconds, completed, failed, events, characters },
		perSecond: events / seconds,
		delays: summarizeDelays(delays),
		serviceDelays: summarizeDelays(serviceDelays),
		vendorDelays: summarizeDelays(vendorDelays),
		runtimeDelays: summarizeDelays(runtimeDelays),
	};
}

/** A test in which nothing happens proves nothing. */
function expectWork({ completed, failed, delays }: Tally): void {
	for (const agent of FIXTURE_AGENTS) expect(completed[agent], agent).toBeGreaterThan(0);
	expect(Object.values(failed).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0);
	expect(delays.length).toBeGreaterThan(streams);
}
