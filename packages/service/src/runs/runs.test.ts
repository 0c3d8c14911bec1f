import {
	BasicTracerProvider,
	InMemorySpanExporter,
	SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import type { WireRunEvent } from "@stemma/client";
import type { ChatModel } from "@stemma/core";
import { createLocalAgent, type LocalAgent } from "@stemma/local";
import { parseEvent, pollEvents, toDecision } from "@stemma/runs";
import { openTracer } from "@stemma/telemetry";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Caller } from "../auth/caller";
import { openMemoryDatabase } from "../http/test-support/memory-database";
import { createWorkspaceStore } from "../store/repositories/workspace-store";
import { toNewThread } from "../store/test-support/thread-fixture";
import type { WorkspaceStore } from "../store/workspace-store";
import { type WorkspaceTables, workspaceMigrations } from "../store/workspace-tables";
import { createServiceTelemetry, type ServiceTelemetry } from "../telemetry/service-telemetry";
import { NO_GAUGES } from "../test-support/no-gauges";
import { toRunThread } from "../threads/run-thread";
import { ThreadTurns } from "../threads/thread-turns";
import type { ApprovalChange } from "./repositories/approval-repository";
import type { ResumeOptions, StartRun } from "./run-requests";
import { Runs } from "./runs";
import { readResult } from "./stored-run";

let database: ReturnType<typeof openMemoryDatabase<WorkspaceTables>>;
let store: WorkspaceStore;
let runs: Runs;
let exporter: InMemorySpanExporter;
let telemetry: ServiceTelemetry;
const failures: unknown[] = [];

beforeEach(() => {
	database = openMemoryDatabase(workspaceMigrations);
	store = createWorkspaceStore(database);
	exporter = new InMemorySpanExporter();
	const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
	telemetry = createServiceTelemetry(openTracer(provider, { name: "test", version: "1" }), (text) => text);
	runs = open();
	failures.length = 0;
});
afterEach(() => runs.stop(0));

const open = (unwatchedTimeoutMs = 60_000, maxConcurrentRuns = 4): Runs =>
	new Runs({
		repository: store.runs,
		approvals: store.approvals,
		maxConcurrentRuns,
		unwatchedTimeoutMs,
		countRunEnd: telemetry.metrics.countRunEnd,
		onFailure: (error) => failures.push(error),
	});

const follow = () => telemetry.observeRun({ agent: "desk", traceContext: undefined });

/** Says so many words, then waits until it is stopped where it never ends. */
function modelSaying(words: number, ends = true): ChatModel {
	return {
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
}

function createAgentSaying(words: number, ends = true): LocalAgent {
	const model = modelSaying(words, ends);
	const graph = { nodes: [{ id: "desk", kind: "coordinator" }] } as const;
	return createLocalAgent(graph, {
		ports: { models: { resolve: () => ({ model, payer: "none", reason: "" }) } },
	});
}

const DAY_MS = 24 * 60 * 60_000;
const CALLER: Caller = { kind: "client", id: "cl_1", workspaceId: "ws_1", scopes: ["agents:run"] };

const toStart = (runnable: LocalAgent, more: Partial<StartRun> = {}): StartRun => ({
	agent: { id: "ag_1", slug: "desk", version: 1 },
	runnable,
	input: "Hello?",
	context: {},
	untrustedContext: false,
	background: false,
	resumeContext: { graph: runnable.graph, depth: 0, caller: CALLER },
	...more,
});

const start = (runnable: LocalAgent, more?: Partial<StartRun>) => runs.start(toStart(runnable, more));

async function watch(
	runId: string,
	after = 0,
	signal = new AbortController().signal,
): Promise<WireRunEvent[]> {
	const seen: WireRunEvent[] = [];
	for await (const events of runs.watch(runId, after, signal)) seen.push(...events.map(parseEvent));
	return seen;
}

describe("a run", () => {
	it("is seen by all who watch, from where they ask, without a gap, to its end", async () => {
		const { id } = await start(createAgentSaying(500));
		const [all, rest] = await Promise.all([watch(id), watch(id, 300)]);
		expect(all.map(({ seq }) => seq)).toEqual(all.map((_, index) => index + 1));
		expect(all.length).toBeGreaterThan(500);
		expect(all.at(-1)?.type).toBe("run.completed");
		expect(rest).toEqual(all.slice(300));
		expect(await watch(id, all.length)).toEqual([]);
	});

	it("is read to the last event that is there, also by those who do not wait", async () => {
		const { id } = await start(createAgentSaying(900));
		const all = await watch(id);
		expect(await watch(id, 0, AbortSignal.abort())).toEqual(all);
		const end = await pollEvents((signal) => runs.watch(id, 0, signal), {
			waitMs: 0,
			signal: new AbortController().signal,
			select: (events) => events.filter(({ type }) => type === "run.completed"),
		});
		expect(end.map(parseEvent)).toEqual(all.slice(-1));
	});

	it("is cancelled when nobody has watched it for long, unless it runs in the background", async () => {
		runs = open(30);
		const alone = await start(createAgentSaying(1, false));
		const background = await start(createAgentSaying(1, false), { background: true });
		const watched = await start(createAgentSaying(1, false));
		const leave = new AbortController();
		const watching = (async () => {
			for await (const _ of runs.watch(watched.id, 0, leave.signal));
		})();
		await expect.poll(() => store.runs.find(alone.id)).toMatchObject({ status: "cancelled" });
		expect(await store.runs.find(background.id)).toMatchObject({ status: "running" });
		expect(await store.runs.find(watched.id)).toMatchObject({ status: "running" });
		leave.abort();
		await watching;
		await expect.poll(() => store.runs.find(watched.id)).toMatchObject({ status: "cancelled" });
	});

	it("that breaks for a reason of ours ends all the same, and is told to the operator", async () => {
		const broken = {
			...createAgentSaying(0),
			stream: () => brokenStream,
		};
		const { id } = await start(broken as unknown as LocalAgent);
		expect(await watch(id)).toMatchObject([
			{ seq: 1, type: "run.failed", error: { code: "internal_error" } },
		]);
		expect(failures).toMatchObject([{ message: "Out of order." }]);
		expect(await store.runs.find(id)).toMatchObject({ status: "failed", last_seq: 1 });
	});

	it("that a crash has cut off ends as interrupted, with what it had said", async () => {
		const { id } = await start(createAgentSaying(2, false));
		await expect.poll(async () => (await store.runs.find(id))?.last_seq).toBe(4);
		const restarted = open();
		expect(await restarted.recover()).toBe(1);
		const row = await store.runs.find(id);
		expect(row).toMatchObject({ status: "failed", last_seq: 5 });
		expect(row && (await readResult(store.runs, row))).toMatchObject({
			output: "word word ",
			error: { code: "interrupted" },
		});
	});

	it("is cancelled also in the moment in which it is seen and not under way yet", async () => {
		let cancelled: Promise<void> | undefined;
		const { id } = await runs.start(toStart(createAgentSaying(1, false)), async (run, admit) => {
			const claim = await store.runs.insert(run, admit);
			cancelled = runs.cancel(run.id);
			return claim;
		});
		await cancelled;
		expect(await store.runs.find(id)).toMatchObject({ status: "cancelled" });
	});

	it("that is under way while the service stops may start others, and all are waited for", async () => {
		const outer = await start(createAgentSaying(1, false));
		const stopped = runs.stop(100);
		await expect(start(createAgentSaying(1))).rejects.toMatchObject({ code: "shutting_down" });
		const inner = await start(createAgentSaying(1, false), { parentRunId: outer.id });
		await stopped;
		for (const { id } of [outer, inner])
			expect(await store.runs.find(id)).toMatchObject({ status: "cancelled" });
		const late = start(createAgentSaying(1), { parentRunId: outer.id });
		await expect(late).rejects.toMatchObject({ code: "shutting_down" });
	});

	it("is refused where too many are under way, and room is given back", async () => {
		const first = await Promise.all(Array.from({ length: 4 }, () => start(createAgentSaying(1, false))));
		await expect(start(createAgentSaying(1))).rejects.toMatchObject({ code: "too_many_runs" });
		await runs.cancel(first[0]?.id ?? "");
		await expect
			.poll(() =>
				start(createAgentSaying(1)).then(
					() => "started",
					() => "refused",
				),
			)
			.toBe("started");
	});
});

describe("a run that waits for approvals", () => {
	const calls: unknown[] = [];
	beforeEach(() => {
		calls.length = 0;
	});
	afterEach(() => {
		vi.useRealTimers();
	});

	/** Calls so many tools, each after an approval; the calls take a moment. */
	function createAgentAsking(count: number, called = async (): Promise<void> => undefined): LocalAgent {
		const tools = Array.from({ length: count }, (_, index) => `tool_${index}`);
		return createLocalAgent(
			{
				nodes: [
					{ id: "desk", kind: "coordinator" },
					...tools.map((id) => ({ id, kind: "tool" as const, tool: id, server: "http://a", approval: true })),
				],
				edges: tools.map((to) => ({ from: "desk", to, mode: "before" as const })),
			},
			{
				ports: {
					models: { resolve: () => ({ model: modelSaying(1), payer: "none", reason: "" }) },
					tools: {
						describe: async () => ({ description: "", parameters: { type: "object" } }),
						async call({ tool }) {
							calls.push(tool);
							await called();
							return { output: tool };
						},
					},
				},
			},
		);
	}

	async function pause(count = 1, more?: Partial<StartRun>): Promise<string> {
		const { id } = await start(createAgentAsking(count), { input: { order: 7 }, ...more });
		await expect.poll(() => store.runs.find(id)).toMatchObject({ status: "paused" });
		return id;
	}

	const approve = (runId: string, count: number, id: string, decided_at = 1): ResumeOptions => ({
		async decide() {
			const change: ApprovalChange = {
				decision: { decision: "approve", reason: null, decided_by: "cl_1", decided_at },
				audit: { actor: "cl_1", action: "approval.approved", target: runId },
			};
			const decided = await store.approvals.decide(runId, [{ approvalId: id, decide: () => change }]);
			return decided.map(toDecision);
		},
		prepare: async () => createAgentAsking(count),
	});

	const listIds = async (runId: string): Promise<string[]> => {
		const row = await store.runs.find(runId);
		const result = row && (await readResult(store.runs, row));
		return result?.approvals?.map(({ id }) => id) ?? [];
	};

	it("takes no room, is not left unwatched, and outlives an end and a start", async () => {
		runs = open(20, 1);
		const id = await pause();
		const other = await start(createAgentSaying(1));
		await watch(other.id);
		await runs.stop(0);
		runs = open(20, 1);
		expect(await runs.recover()).toBe(0);
		await new Promise((resolve) => setTimeout(resolve, 60));
		expect(await store.runs.find(id)).toMatchObject({ status: "paused", ended_at: null });
		const [approval = ""] = await listIds(id);
		await runs.resume(id, approve(id, 1, approval));
		expect((await watch(id)).at(-1)).toMatchObject({ type: "run.completed" });
		expect(calls).toEqual(["tool_0"]);
		expect(database.file.prepare("SELECT count(*) AS n FROM run_states").get()).toEqual({ n: 0 });
	});

	it("goes on though all room is taken by runs of its thread that wait for its end, which begin then", async () => {
		runs = open(60_000, 2);
		await store.threads.insert(toNewThread("thr_1"), () => undefined);
		const workspace = { threads: new ThreadTurns({ repository: store.threads, runs }), store };
		const toThread = (number: number): Partial<StartRun> => {
			const thread = toRunThread(workspace, {
				...{ threadId: "thr_1", answerId: `a${number}`, text: "?", ifActive: "queue" },
				question: { kind: "new", id: `q${number}`, text: "?", parentId: undefined, title: "" },
			});
			const readInput = async (signal: AbortSignal) => {
				await thread.readInput(signal);
				return { order: 7 };
			};
			return { background: true, thread: { ...thread, readInput } };
		};
		const id = await pause(1, toThread(1));
		const queued = [
			await start(createAgentSaying(1), toThread(2)),
			await start(createAgentSaying(1), toThread(3)),
		];
		await expect(start(createAgentSaying(1))).rejects.toMatchObject({ code: "too_many_runs" });
		const [approval = ""] = await listIds(id);
		await runs.resume(id, approve(id, 1, approval));
		for (const runId of [id, ...queued.map((run) => run.id)])
			await expect.poll(() => store.runs.find(runId)).toMatchObject({ status: "completed" });
		await expect.poll(() => runs.running()).toBe(0);
	});

	it("takes all that is decided at once, however it falls, and each once", async () => {
		for (let round = 0; round < 20; round++) {
			calls.length = 0;
			const id = await pause(3);
			const ids = await listIds(id);
			await Promise.all(
				ids.map(async (approval, index) => {
					for (let turns = 0; turns < (round * index) % 7; turns++) await Promise.resolve();
					await runs.resume(id, approve(id, 3, approval));
				}),
			);
			await expect.poll(() => store.runs.find(id)).toMatchObject({ status: "completed" });
			expect([...calls].sort()).toEqual(["tool_0", "tool_1", "tool_2"]);
			const seqs = (await watch(id)).map(({ seq }) => seq);
			expect(seqs).toEqual(seqs.map((_, index) => index + 1));
		}
	});

	it("takes a decision that comes while it is made ready to go on with another", async () => {
		const id = await pause(2);
		const [first = "", second = ""] = await listIds(id);
		let other: Promise<void> | undefined;
		await runs.resume(id, {
			...approve(id, 2, first),
			async prepare() {
				other = runs.resume(id, approve(id, 2, second));
				await new Promise((resolve) => setTimeout(resolve, 30));
				return createAgentAsking(2);
			},
		});
		await other;
		await expect.poll(() => store.runs.find(id)).toMatchObject({ status: "completed" });
		expect(calls).toEqual(["tool_0", "tool_1"]);
	});

	it("takes a decision that comes just as it pauses again, and that is not told yet", async () => {
		const id = await pause(2);
		const [first = "", second = ""] = await listIds(id);
		let release = (): void => undefined;
		const held = new Promise<void>((resolve) => {
			release = resolve;
		});
		await runs.resume(id, {
			...approve(id, 2, first),
			prepare: async () => createAgentAsking(2, () => held),
		});
		await expect.poll(() => calls).toEqual(["tool_0"]);
		const resumed: Promise<void>[] = [];
		await database.write.transaction().execute(async () => {
			// Nothing else is written meanwhile: the decision waits for it, and then the pause.
			resumed.push(runs.resume(id, approve(id, 2, second)));
			await new Promise((resolve) => setTimeout(resolve, 10));
			release();
			await new Promise((resolve) => setTimeout(resolve, 30));
		});
		await Promise.all(resumed);
		await expect.poll(() => store.runs.find(id)).toMatchObject({ status: "completed" });
		expect(calls).toEqual(["tool_0", "tool_1"]);
		const types = (await watch(id)).map(({ type }) => type);
		expect(types.filter((type) => type === "run.paused")).toHaveLength(2);
	});

	it("is watched to the pause, and from there on to what comes next", async () => {
		const id = await pause();
		const first = await watch(id);
		expect(first.at(-1)?.type).toBe("run.paused");
		const rest = watch(id, first.length);
		const untilEnd: WireRunEvent[] = [];
		const all = (async () => {
			for await (const events of runs.watch(id, 0, new AbortController().signal, { untilEnd: true }))
				untilEnd.push(...events.map(parseEvent));
		})();
		await runs.resume(id, approve(id, 1, (await listIds(id))[0] ?? ""));
		expect((await rest).map(({ type }) => type)).toEqual(
			expect.arrayContaining(["run.resumed", "run.completed"]),
		);
		await all;
		expect(untilEnd).toEqual([...first, ...(await rest)]);
	});

	it("goes on not at all where nothing was decided, and ends where it cannot", async () => {
		runs = open(60_000, 1);
		const id = await pause();
		const idle = { decide: async () => [], prepare: async () => createAgentAsking(1) };
		await runs.resume(id, idle);
		await watch((await start(createAgentSaying(1))).id);
		expect(await store.runs.find(id)).toMatchObject({ status: "paused" });
		const broken = { ...approve(id, 1, (await listIds(id))[0] ?? ""), prepare: neverMind };
		await runs.resume(id, broken);
		expect((await watch(id)).at(-1)).toMatchObject({ type: "run.failed", error: { code: "internal_error" } });
		expect(failures).toMatchObject([{ message: "Out of order." }]);
		expect(calls).toEqual([]);
		await start(createAgentSaying(1));
	});

	it("that breaks for a reason of ours once it goes on ends behind what it had told", async () => {
		const id = await pause();
		const { length } = await watch(id);
		const broken = {
			...createAgentAsking(1),
			resume: () => brokenStream,
		};
		await runs.resume(id, {
			...approve(id, 1, (await listIds(id))[0] ?? ""),
			prepare: async () => broken as unknown as LocalAgent,
		});
		expect(await watch(id, length)).toMatchObject([{ seq: length + 1, type: "run.failed" }]);
	});

	it.each([
		["in time", -1, ["tool_0"]],
		["too late", 0, []],
	])("takes what was decided %s as that, however late it goes on", async (_, more, called) => {
		const id = await pause();
		const [approval = ""] = await listIds(id);
		const expiresAt = Number(database.file.prepare("SELECT expires_at FROM approvals").get()?.expires_at);
		vi.useFakeTimers({ toFake: ["Date", "performance"], now: expiresAt + DAY_MS });
		const { length } = await watch(id);
		await runs.resume(id, approve(id, 1, approval, expiresAt + more));
		await watch(id, length);
		expect(calls).toEqual(called);
	});

	it("is never seen to wait within another: it ends in place of the pause", async () => {
		const outer = await start(createAgentSaying(1, false));
		const { id } = await start(createAgentAsking(2), { input: { order: 7 }, parentRunId: outer.id });
		const events = await watch(id);
		expect(events.map(({ type }) => type)).not.toContain("run.paused");
		const error = { code: "remote_paused" };
		expect(events.at(-1)).toMatchObject({ type: "run.failed", error, result: { status: "failed", error } });
		expect(JSON.stringify(events)).not.toContain("approvals");
		expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
		expect(await store.runs.find(id)).toMatchObject({ status: "failed", last_seq: events.length });
		for (const table of ["approvals", "run_states"])
			expect(database.file.prepare(`SELECT count(*) AS n FROM ${table} WHERE run_id = ?`).get(id)).toEqual({
				n: 0,
			});
	});

	describe("that ends without going on", () => {
		/** The figures of runs, without those of time. */
		const readCounts = (): string[] =>
			telemetry.metrics
				.write(NO_GAUGES)
				.split("\n")
				.filter((line) => /^stemma_runs_(started|ended)_total/.test(line));

		async function pauseAndCount(): Promise<string> {
			const { id } = await start(createAgentAsking(1), { input: { order: 7 }, follow });
			await expect.poll(() => store.runs.find(id)).toMatchObject({ status: "paused" });
			return id;
		}

		it("is counted as ended where it is cancelled", async () => {
			await runs.cancel(await pauseAndCount());
			expect(readCounts()).toEqual([
				"stemma_runs_started_total 1",
				'stemma_runs_ended_total{status="cancelled"} 1',
			]);
		});

		it("is counted as ended where it is within another", async () => {
			const outer = await start(createAgentSaying(1, false));
			const { id } = await start(createAgentAsking(1), {
				input: { order: 7 },
				parentRunId: outer.id,
				follow,
			});
			await expect.poll(() => store.runs.find(id)).toMatchObject({ status: "failed" });
			expect(readCounts()).toEqual([
				"stemma_runs_started_total 1",
				'stemma_runs_ended_total{status="failed"} 1',
			]);
		});

		it("is counted as ended, and its span ends, where it cannot go on", async () => {
			const id = await pauseAndCount();
			exporter.reset();
			const [approval = ""] = await listIds(id);
			const broken: LocalAgent = {
				...createAgentAsking(1),
				resume: () => {
					throw new Error("Out of order.");
				},
			};
			await runs.resume(id, { ...approve(id, 1, approval), prepare: async () => broken, follow });
			expect(await store.runs.find(id)).toMatchObject({ status: "failed" });
			expect(readCounts()).toEqual([
				"stemma_runs_started_total 1",
				'stemma_runs_ended_total{status="failed"} 1',
			]);
			expect(exporter.getFinishedSpans().map(({ attributes }) => attributes["error.type"])).toEqual([
				"internal_error",
			]);
		});
	});

	it("is not decided on while the service stops", async () => {
		const id = await pause();
		const [approval = ""] = await listIds(id);
		await runs.stop(0);
		await expect(runs.resume(id, approve(id, 1, approval))).rejects.toMatchObject({ code: "shutting_down" });
		const row = database.file.prepare("SELECT decision FROM approvals").get();
		expect(row).toEqual({ decision: null });
	});
});

it("a run that does not begin ends, with its span, and leaves its room", async () => {
	runs = open(60_000, 1);
	const agent = createAgentSaying(1);
	const broken: LocalAgent = {
		...agent,
		stream: () => {
			throw new Error("Out of order.");
		},
	};
	await expect(start(broken, { follow })).rejects.toThrow("Out of order.");
	expect(exporter.getFinishedSpans()).toHaveLength(1);
	expect(database.file.prepare("SELECT status FROM runs").all()).toEqual([{ status: "failed" }]);
	expect((await watch((await start(agent)).id)).at(-1)?.type).toBe("run.completed");
});

const neverMind = () => Promise.reject(new Error("Out of order."));

/** Breaks without an event. */
const brokenStream = { listen: () => undefined, cancel: () => undefined, result: neverMind };
