import type { WireRunEvent } from "@stemma/client";
import type { ChatModel } from "@stemma/core";
import { createLocalAgent, type LocalAgent } from "@stemma/local";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openMemoryDatabase } from "../http/test-support/memory-database";
import { type WorkspaceTables, workspaceMigrations } from "../store/workspace-tables";
import { appendEvents } from "./append-events-job";
import { pollEvents } from "./poll-events";
import { findRun, readResult } from "./run-rows";
import { createRuns, type Runs, type StartRun } from "./runs";

let database: ReturnType<typeof openMemoryDatabase<WorkspaceTables>>;
let runs: Runs;
const failures: unknown[] = [];

beforeEach(() => {
	database = openMemoryDatabase(workspaceMigrations, { appendEvents });
	runs = open();
	failures.length = 0;
});
afterEach(() => runs.stop(0));

const open = (unwatchedMs = 60_000, maxLive = 4): Runs =>
	createRuns({ database, maxLive, unwatchedMs, onFailure: (error) => failures.push(error) });

/** Says so many words, then waits until it is stopped where it never ends. */
function agentSaying(words: number, ends = true): LocalAgent {
	const model: ChatModel = {
		provider: "scripted",
		model: "script",
		vendorHost: "",
		generate: () => Promise.reject(new Error("Only streams are used here.")),
		async *stream(_, { signal } = {}) {
			for (let word = 0; word < words; word++) yield { type: "text.delta", text: "word " };
			if (!ends)
				await new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
			yield { type: "finish", reply: { text: "word ".repeat(words), toolCalls: [], finishReason: "stop" } };
		},
	};
	const graph = { nodes: [{ id: "desk", kind: "coordinator" }] } as const;
	return createLocalAgent(graph, {
		ports: { models: { resolve: () => ({ model, payer: "none", reason: "" }) } },
	});
}

const toStart = (runnable: LocalAgent, more: Partial<StartRun> = {}): StartRun => ({
	agent: { id: "ag_1", slug: "desk", version: 1 },
	runnable,
	input: "Hello?",
	context: {},
	untrustedContext: false,
	background: false,
	startedBy: "cl_1",
	...more,
});

const start = (runnable: LocalAgent, more?: Partial<StartRun>) =>
	runs.start(toStart(runnable, more), async () => ({ kind: "new" }));

async function watch(
	runId: string,
	after = 0,
	signal = new AbortController().signal,
): Promise<WireRunEvent[]> {
	const seen: WireRunEvent[] = [];
	for await (const events of runs.watch(runId, after, signal)) seen.push(...events);
	return seen;
}

describe("a run", () => {
	it("is seen by all who watch, from where they ask, without a gap, to its end", async () => {
		const { id } = await start(agentSaying(500));
		const [all, rest] = await Promise.all([watch(id), watch(id, 300)]);
		expect(all.map(({ seq }) => seq)).toEqual(all.map((_, index) => index + 1));
		expect(all.length).toBeGreaterThan(500);
		expect(all.at(-1)?.type).toBe("run.completed");
		expect(rest).toEqual(all.slice(300));
		expect(await watch(id, all.length)).toEqual([]);
	});

	it("is read to the last event that is there, also by those who do not wait", async () => {
		const { id } = await start(agentSaying(900));
		const all = await watch(id);
		expect(await watch(id, 0, AbortSignal.abort())).toEqual(all);
		const end = await pollEvents(runs, id, {
			after: 0,
			waitMs: 0,
			signal: new AbortController().signal,
			select: (events) => events.filter(({ type }) => type === "run.completed"),
		});
		expect(end).toEqual(all.slice(-1));
	});

	it("is cancelled when nobody has watched it for long, unless it runs in the background", async () => {
		runs = open(30);
		const alone = await start(agentSaying(1, false));
		const background = await start(agentSaying(1, false), { background: true });
		const watched = await start(agentSaying(1, false));
		const leave = new AbortController();
		const watching = (async () => {
			for await (const _ of runs.watch(watched.id, 0, leave.signal));
		})();
		await expect.poll(() => findRun(database, alone.id)).toMatchObject({ status: "cancelled" });
		expect(await findRun(database, background.id)).toMatchObject({ status: "running" });
		expect(await findRun(database, watched.id)).toMatchObject({ status: "running" });
		leave.abort();
		await watching;
		await expect.poll(() => findRun(database, watched.id)).toMatchObject({ status: "cancelled" });
	});

	it("that breaks for a reason of ours ends all the same, and is told to the operator", async () => {
		const broken = { ...agentSaying(0), stream: () => Object.assign(brokenStream(), { result: neverMind }) };
		const { id } = await start(broken as unknown as LocalAgent);
		expect(await watch(id)).toMatchObject([
			{ seq: 1, type: "run.failed", error: { code: "internal_error" } },
		]);
		expect(failures).toMatchObject([{ message: "Out of order." }]);
		expect(await findRun(database, id)).toMatchObject({ status: "failed", last_seq: 1 });
	});

	it("that a crash has cut off ends as interrupted, with what it had said", async () => {
		const { id } = await start(agentSaying(2, false));
		await expect.poll(async () => (await findRun(database, id))?.last_seq).toBe(4);
		const restarted = open();
		expect(await restarted.recover()).toBe(1);
		const row = await findRun(database, id);
		expect(row).toMatchObject({ status: "failed", last_seq: 5 });
		expect(row && (await readResult(database, row))).toMatchObject({
			output: "word word ",
			error: { code: "interrupted" },
		});
	});

	it("is cancelled also in the moment in which it is seen and not under way yet", async () => {
		let cancelled: Promise<void> | undefined;
		const { id } = await runs.start(toStart(agentSaying(1, false)), async (runId) => {
			cancelled = runs.cancel(runId);
			return { kind: "new" };
		});
		await cancelled;
		expect(await findRun(database, id)).toMatchObject({ status: "cancelled" });
	});

	it("that is under way while the service stops may start others, and all are waited for", async () => {
		const outer = await start(agentSaying(1, false));
		const stopped = runs.stop(100);
		await expect(start(agentSaying(1))).rejects.toMatchObject({ code: "shutting_down" });
		const inner = await start(agentSaying(1, false), { within: outer.id });
		await stopped;
		for (const { id } of [outer, inner])
			expect(await findRun(database, id)).toMatchObject({ status: "cancelled" });
		const late = start(agentSaying(1), { within: outer.id });
		await expect(late).rejects.toMatchObject({ code: "shutting_down" });
	});

	it("is refused where too many are under way, and room is given back", async () => {
		const first = await Promise.all(Array.from({ length: 4 }, () => start(agentSaying(1, false))));
		await expect(start(agentSaying(1))).rejects.toMatchObject({ code: "too_many_runs", status: 429 });
		await runs.cancel(first[0]?.id ?? "");
		await expect
			.poll(() =>
				start(agentSaying(1)).then(
					() => "started",
					() => "refused",
				),
			)
			.toBe("started");
	});
});

// biome-ignore lint/correctness/useYield: it only throws
async function* brokenStream(): AsyncGenerator<never> {
	throw new Error("Out of order.");
}

const neverMind = () => Promise.reject(new Error("Out of order."));
