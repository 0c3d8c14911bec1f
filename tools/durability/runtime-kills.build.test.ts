import { setTimeout as wait } from "node:timers/promises";
import { type AgentRunStream, runtimeAgents, type WireRunEvent } from "@stemma/client";
import { afterAll, expect, it } from "vitest";
import { createScene } from "../end-to-end/scene.ts";
import { type FollowedRun, followRun } from "./follow-run.ts";
import { createRuntimeStage, type RuntimeStage, STAGE_AGENTS } from "./runtime-stage.ts";

const RUNS_OF_EACH = 8;
/** A run takes four seconds, a nested one eight. */
const ANSWER = { chunks: 40, pauseMs: 100 };
/** Whatever happens, a run has ended so long after. */
const PATIENCE_MS = 30_000;
const isLong = process.env.STEMMA_DURABILITY_RUNTIME_SECONDS !== undefined;

const scene = createScene();
afterAll(() => scene.end());

interface RunsUnderWay {
	/** Each has begun to answer. */
	readonly begun: Promise<unknown>;
	readonly ended: Promise<readonly NamedRun[]>;
}

interface NamedRun extends FollowedRun {
	readonly agent: string;
	/** In epoch milliseconds. */
	readonly endedAt: number;
}

const follow = async (
	{ runtime }: RuntimeStage,
	agent: string,
	onEvent?: (event: WireRunEvent) => void,
): Promise<NamedRun> => ({
	...(await followRun(runtime.url, agent, onEvent === undefined ? {} : { onEvent })),
	agent,
	endedAt: Date.now(),
});

function startRuns(stage: RuntimeStage, agents: readonly string[] = STAGE_AGENTS): RunsUnderWay {
	const runs = Array.from({ length: agents.length * RUNS_OF_EACH }, (_, index) => {
		const agent = agents[index % agents.length] ?? "plain";
		let begin = (): void => undefined;
		const begun = new Promise<void>((resolve) => {
			begin = resolve;
		});
		const ended = follow(stage, agent, ({ type }) => {
			if (type === "text.delta") begin();
		});
		return { begun: Promise.race([begun, ended]), ended };
	});
	return {
		begun: Promise.all(runs.map(({ begun }) => begun)),
		ended: Promise.all(runs.map(({ ended }) => ended)),
	};
}

/** How each run ended: the type of its last event, or the code of its error. Every event came once, and in order. */
function toEnds(runs: readonly NamedRun[]): readonly { readonly agent: string; readonly end: string }[] {
	return runs.map(({ agent, events, broken }) => {
		const last = events.at(-1);
		const told = `${agent}: ${JSON.stringify(last)}`;
		expect(broken, told).toBeUndefined();
		expect(
			events.map(({ seq }) => seq),
			told,
		).toEqual(events.map((_, index) => index + 1));
		return { agent, end: last?.type === "run.failed" ? last.error.code : String(last?.type) };
	});
}

async function within<Result>(milliseconds: number, work: Promise<Result>): Promise<Result> {
	const timeOver = new AbortController();
	const late = wait(milliseconds, undefined, { signal: timeOver.signal }).then(() => {
		throw new Error(`It hangs: nothing in ${milliseconds} ms.`);
	});
	late.catch(() => undefined);
	try {
		return await Promise.race([work, late]);
	} finally {
		timeOver.abort();
	}
}

/** The service was there, and is gone. */
const GONE = "upstream_unavailable";

/** Gives the moment from which it is gone. */
async function killService(stage: RuntimeStage): Promise<number> {
	stage.service.program.kill("SIGKILL");
	await stage.service.program.ended;
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
	const stage = await createRuntimeStage(scene, ANSWER);
	const runs = startRuns(stage);
	await runs.begun;
	const goneAt = await killService(stage);
	await wait(1000);
	await stage.restartService();
	const ends = toEnds(endedAfter(goneAt, await within(PATIENCE_MS, runs.ended)));
	for (const { agent, end } of ends)
		if (agent === "stored") expect(end).toBe("interrupted");
		else if (end !== "run.completed") expect(end).toBe(GONE);
	for (const agent of STAGE_AGENTS)
		expect(toEnds([await follow(stage, agent)])[0]?.end).toBe("run.completed");
});

it.concurrent("ends all runs when the service is killed and stays away", async ({ expect }) => {
	const stage = await createRuntimeStage(scene, ANSWER);
	// The client takes up the streams of the service for half a minute.
	const runs = startRuns(stage, isLong ? STAGE_AGENTS : ["plain", "nested"]);
	await runs.begun;
	const goneAt = await killService(stage);
	const ended = await within(isLong ? 60_000 : PATIENCE_MS, runs.ended);
	for (const { end } of toEnds(endedAfter(goneAt, ended))) expect(end).toBe(GONE);
});

it.concurrent("tells the client when the runtime is killed, and its runs at the service go on", async ({
	expect,
}) => {
	const stage = await createRuntimeStage(scene, ANSWER);
	const agents = runtimeAgents({ baseUrl: stage.runtime.url, retryDelayMs: 20 });
	const streams = Array.from({ length: RUNS_OF_EACH }, () => agents.stream("stored", { input: "Hello" }));
	const seen = await Promise.all(streams.map(readToFirstText));
	stage.runtime.kill("SIGKILL");
	const errors = await within(PATIENCE_MS, Promise.all(streams.map(errorOf)));
	for (const error of errors) expect(error).toMatchObject({ code: "stream_lost", hint: expect.any(String) });
	for (const [index, { run_id = "" }] of streams.entries()) {
		const run = stage.service.stemma.runs.stream(run_id);
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
	const stage = await createRuntimeStage(scene, { ...ANSWER, graceMs: 300 });
	const runs = startRuns(stage);
	await runs.begun;
	stage.runtime.kill("SIGTERM");
	for (const { end } of toEnds(await within(PATIENCE_MS, runs.ended)))
		expect(end).toMatch(/^(run\.completed|shutting_down)$/);
	expect(await stage.runtime.ended).toEqual({ code: 0, signal: null });
});
