import { setTimeout as wait } from "node:timers/promises";
import { type AgentRunStream, runtimeAgents, type WireRunEvent } from "@stemma/client";
import { createHarness } from "@stemma/simulators/processes";
import { afterAll, expect, it } from "vitest";
import { type FollowedRun, followRun } from "./runtime/follow-run.ts";
import { createRuntimeFixture, FIXTURE_AGENTS, type RuntimeFixture } from "./runtime/runtime-fixture.ts";

const RUNS_OF_EACH = 8;
/** A run takes four seconds, a nested one eight. */
const ANSWER = { chunks: 40, pauseMs: 100 };
/** Whatever happens, a run has ended so long after. */
const TIMEOUT_MS = 120_000;
const isLong = process.env.STEMMA_DURABILITY_RUNTIME_SECONDS !== undefined;

const harness = createHarness();
afterAll(() => harness.end());

interface ActiveRuns {
	/** Each has begun to answer. */
	readonly started: Promise<unknown>;
	readonly ended: Promise<readonly NamedRun[]>;
}

interface NamedRun extends FollowedRun {
	readonly agent: string;
	/** In epoch milliseconds. */
	readonly endedAt: number;
}

const follow = async (
	{ runtime }: RuntimeFixture,
	agent: string,
	onEvent?: (event: WireRunEvent) => void,
): Promise<NamedRun> => ({
	...(await followRun(runtime.url, agent, onEvent === undefined ? {} : { onEvent })),
	agent,
	endedAt: Date.now(),
});

function startRuns(fixture: RuntimeFixture, agents: readonly string[] = FIXTURE_AGENTS): ActiveRuns {
	const runs = Array.from({ length: agents.length * RUNS_OF_EACH }, (_, index) => {
		const agent = agents[index % agents.length] ?? "plain";
		let start = (): void => undefined;
		const started = new Promise<void>((resolve) => {
			start = resolve;
		});
		const ended = follow(fixture, agent, ({ type }) => {
			if (type === "text.delta") start();
		});
		return { started: Promise.race([started, ended]), ended };
	});
	return {
		started: Promise.all(runs.map(({ started }) => started)),
		ended: Promise.all(runs.map(({ ended }) => ended)),
	};
}

/** How each run ended: the type of its last event, or the code of its error. Every event came once, and in order. */
function toOutcomes(
	runs: readonly NamedRun[],
): readonly { readonly agent: string; readonly outcome: string }[] {
	return runs.map(({ agent, events, interruption }) => {
		const last = events.at(-1);
		const message = `${agent}: ${JSON.stringify(last)}`;
		expect(interruption, message).toBeUndefined();
		expect(
			events.map(({ seq }) => seq),
			message,
		).toEqual(events.map((_, index) => index + 1));
		return { agent, outcome: last?.type === "run.failed" ? last.error.code : String(last?.type) };
	});
}

async function withTimeout<Result>(milliseconds: number, work: Promise<Result>): Promise<Result> {
	const timeout = new AbortController();
	const late = wait(milliseconds, undefined, { signal: timeout.signal }).then(() => {
		throw new Error(`It hangs: nothing in ${milliseconds} ms.`);
	});
	late.catch(() => undefined);
	try {
		return await Promise.race([work, late]);
	} finally {
		timeout.abort();
	}
}

/** The service was there, and is gone. */
const SERVICE_LOST_CODES = "upstream_unavailable";

/** Gives the moment from which it is gone. */
async function killService(fixture: RuntimeFixture): Promise<number> {
	fixture.service.program.kill("SIGKILL");
	await fixture.service.program.ended;
	return Date.now();
}

/** Those that ended after that: on a busy machine, some have ended before the last has begun. */
function endedAfter(moment: number, runs: readonly NamedRun[]): readonly NamedRun[] {
	const rest = runs.filter(({ endedAt }) => endedAt > moment);
	expect(rest.length).toBeGreaterThan(0);
	return rest;
}

it.concurrent("ends all runs, or goes on with them, when the service is killed and comes back", async ({
	expect,
}) => {
	const fixture = await createRuntimeFixture(harness, ANSWER);
	const runs = startRuns(fixture);
	await runs.started;
	const killedAt = await killService(fixture);
	await wait(1000);
	await fixture.restartService();
	const outcomes = toOutcomes(endedAfter(killedAt, await withTimeout(TIMEOUT_MS, runs.ended)));
	// The service resumes what it has stored.
	for (const { agent, outcome } of outcomes)
		if (agent === "stored") expect(outcome).toMatch(/^(run\.completed|interrupted)$/);
		else if (outcome !== "run.completed") expect(outcome).toBe(SERVICE_LOST_CODES);
	for (const agent of FIXTURE_AGENTS)
		expect(toOutcomes([await follow(fixture, agent)])[0]?.outcome).toBe("run.completed");
});

it.concurrent("ends all runs when the service is killed and stays away", async ({ expect }) => {
	const fixture = await createRuntimeFixture(harness, ANSWER);
	// The client takes up the streams of the service for half a minute.
	const runs = startRuns(fixture, isLong ? FIXTURE_AGENTS : ["plain", "nested"]);
	await runs.started;
	const killedAt = await killService(fixture);
	const ended = await withTimeout(TIMEOUT_MS, runs.ended);
	for (const { outcome } of toOutcomes(endedAfter(killedAt, ended))) expect(outcome).toBe(SERVICE_LOST_CODES);
});

it.concurrent("tells the client when the runtime is killed, and its runs at the service go on", async ({
	expect,
}) => {
	const fixture = await createRuntimeFixture(harness, ANSWER);
	const agents = runtimeAgents({ baseUrl: fixture.runtime.url, retryDelayMs: 20 });
	const streams = Array.from({ length: RUNS_OF_EACH }, () => agents.stream("stored", { input: "Hello" }));
	const seen = await Promise.all(streams.map(readToFirstText));
	fixture.runtime.kill("SIGKILL");
	const errors = await withTimeout(TIMEOUT_MS, Promise.all(streams.map(errorOf)));
	for (const error of errors) expect(error).toMatchObject({ code: "stream_lost", hint: expect.any(String) });
	for (const [index, { run_id = "" }] of streams.entries()) {
		const run = fixture.service.stemma.runs.stream(run_id);
		const events: WireRunEvent[] = [];
		for await (const event of run) events.push(event);
		expect(await run.result()).toMatchObject({ run_id, status: "completed" });
		expect(events.slice(0, seen[index]?.length)).toEqual(seen[index]);
		expect(events.map(({ seq }) => seq)).toEqual(events.map((_, place) => place + 1));
	}
});

/** Leaves the loop, not the run. */
async function readToFirstText(stream: AgentRunStream): Promise<readonly WireRunEvent[]> {
	const events: WireRunEvent[] = [];
	for await (const event of stream) {
		events.push(event);
		if (event.type === "text.delta") break;
	}
	return events;
}

const errorOf = (stream: AgentRunStream): Promise<unknown> =>
	stream.result().then(
		({ status }) => status,
		(error: unknown) => error,
	);

it.concurrent("gives each stream its last event when the runtime is stopped", async ({ expect }) => {
	const fixture = await createRuntimeFixture(harness, { ...ANSWER, graceMs: 300 });
	const runs = startRuns(fixture);
	await runs.started;
	fixture.runtime.kill("SIGTERM");
	for (const { outcome } of toOutcomes(await withTimeout(TIMEOUT_MS, runs.ended)))
		expect(outcome).toMatch(/^(run\.completed|shutting_down)$/);
	expect(await fixture.runtime.ended).toEqual({ code: 0, signal: null });
});
