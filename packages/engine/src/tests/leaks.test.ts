import { getEventListeners } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { AgentGraph, ChatEvent, ChatModel, RunEvent } from "@stemma/core";
import { describe, expect, it } from "vitest";
import { createEngine, type EngineHost, type EnginePorts } from "../index";

const kinds = ["model", "tool", "remote", "faq"] as const;

const graph: AgentGraph = {
	nodes: [
		{ id: "desk", kind: "coordinator" },
		{ id: "model", kind: "agent" },
		{ id: "tool", kind: "tool", tool: "wait" },
		{ id: "remote", kind: "remote", url: "https://a.example" },
		{ id: "faq", kind: "knowledge", knowledgeBases: ["kb"] },
		{ id: "guarded", kind: "tool", tool: "wait", approval: true },
		{ id: "last", kind: "agent" },
	],
	edges: [
		...kinds.map((to) => ({ from: "desk", to, mode: "before" as const })),
		{ from: "desk", to: "guarded" },
		{ from: "desk", to: "last", mode: "handoff" },
	],
	limits: { timeoutMs: 5 },
};

const reply = { toolCalls: [], finishReason: "stop", usage: { inputTokens: 1, outputTokens: 1 } } as const;
const callOf = (name: string) => [{ id: "1", name, arguments: '{"input":"x"}' }];

/** Waits for the end of its signal, as a port does that heeds it. */
const untilAborted = ({ signal }: { readonly signal?: AbortSignal | undefined }): Promise<never> =>
	new Promise((_, reject) => {
		const stop = (): void => reject(signal?.reason);
		if (signal?.aborted === true) stop();
		else signal?.addEventListener("abort", stop, { once: true });
	});

/** What the ports of one run do; `hangs` is the port that waits. */
function portsOf(ending: string, hangs: string | undefined): EnginePorts {
	const at = async <Value>(name: string, options: object, value: Value): Promise<Value> => {
		await undefined;
		if (name === hangs) return untilAborted(options);
		if (ending === "failed" && name === "tool") throw new Error("broken");
		return value;
	};
	const model = (node: string): ChatModel => ({
		provider: "p",
		model: "m",
		vendorHost: "h",
		generate: () => Promise.reject(new Error("not used")),
		async *stream(_, options = {}): AsyncGenerator<ChatEvent> {
			await at(node, options, undefined);
			const toolCalls = node === "desk" ? callOf(ending === "paused" ? "guarded" : "last") : [];
			yield { type: "finish", reply: { ...reply, text: node, toolCalls } };
		},
	});
	return {
		models: { resolve: ({ node }) => ({ model: model(node), payer: "none", reason: "" }) },
		retriever: { retrieve: (_, options) => at("faq", options, { passages: [] }) },
		tools: {
			describe: async () => ({
				parameters: { type: "object", properties: { input: { type: "string" } }, required: ["input"] },
			}),
			call: (_, options) => at("tool", options, "done"),
		},
		agents: { run: (_, options) => at("remote", options, { output: "said" }) },
		validate: () => ({ valid: true }),
	};
}

/** The platform's timers, counted. */
function countingHost(): EngineHost & { readonly timers: Set<unknown> } {
	const timers = new Set<unknown>();
	let ids = 0;
	return {
		timers,
		now: () => Date.now(),
		setTimer(milliseconds, callback) {
			const timer = setTimeout(() => {
				timers.delete(timer);
				callback();
			}, milliseconds);
			timers.add(timer);
			return () => {
				timers.delete(timer);
				clearTimeout(timer);
			};
		},
		createId: (prefix) => `${prefix}_${++ids}`,
	};
}

/** Ten thousand before a release; a tenth of it tells as much of a leak. */
const RUNS = Number(process.env.STEMMA_ENGINE_RUNS ?? 1000);

const ENDINGS = ["completed", "failed", "cancelled", "timeout", "paused"] as const;

describe("runs of every ending", () => {
	it("leave no timer, no listener, no rejection and no run behind", async () => {
		setFlagsFromString("--expose-gc");
		const collect: () => void = runInNewContext("gc");
		const rejections: unknown[] = [];
		const onRejection = (reason: unknown): number => rejections.push(reason);
		process.on("unhandledRejection", onRejection);
		const host = countingHost();
		const shared = new AbortController();
		const runs: WeakRef<object>[] = [];
		const ended: Record<string, number> = {};
		const before = process.getActiveResourcesInfo().length;

		async function runOnce(index: number): Promise<void> {
			const ending = ENDINGS[index % ENDINGS.length] ?? "completed";
			const isHanging = ending === "cancelled" || ending === "timeout";
			const hangs = isHanging ? ["desk", "last", ...kinds][index % 6] : undefined;
			// What never hangs has all the time it needs; what hangs is not to take long.
			const unhurriedGraph = { ...graph, limits: { timeoutMs: ending === "timeout" ? 5 : 60_000 } };
			const engine = createEngine(unhurriedGraph, { ports: portsOf(ending, hangs), host });
			const own = new AbortController();
			const signal = ending === "cancelled" ? own.signal : shared.signal;
			const run = engine.start({ input: "hello", signal });
			runs.push(new WeakRef(run), new WeakRef(run.result));
			if (ending === "cancelled") setTimeout(() => own.abort(), index % 3);
			const { status, error } = await run.result;
			expect(getEventListeners(own.signal, "abort")).toHaveLength(0);
			const name = error?.code === "timeout" ? "timeout" : status;
			ended[name] = (ended[name] ?? 0) + 1;
			if (status === "paused") {
				const resumed = engine.resume(run.serialize(), {
					decisions: [{ approval_id: "apr_6", decision: index % 2 === 0 ? "approve" : "deny" }],
					signal: shared.signal,
				});
				runs.push(new WeakRef(resumed));
				await resumed.result;
			}
		}

		for (let index = 0; index < RUNS; index += 200)
			await Promise.all(Array.from({ length: 200 }, (_, offset) => runOnce(index + offset)));
		for (let pass = 0; pass < 5; pass++) {
			await new Promise((resolve) => setTimeout(resolve, 5));
			collect();
		}
		process.off("unhandledRejection", onRejection);
		expect(ended).toEqual(Object.fromEntries(ENDINGS.map((ending) => [ending, RUNS / ENDINGS.length])));
		expect(host.timers.size).toBe(0);
		expect(getEventListeners(shared.signal, "abort")).toHaveLength(0);
		expect(rejections).toEqual([]);
		expect(process.getActiveResourcesInfo().length).toBeLessThanOrEqual(before + 1);
		// The last ones may still be in a register or a cache.
		expect(runs.filter((run) => run.deref() !== undefined).length).toBeLessThan(20);
	});
});

describe("a cancelled run", () => {
	/** Ports of which the one that hangs does what is asked of it. */
	function hangingPorts(
		hangs: string,
		ask: (_: unknown, options: { readonly signal: AbortSignal }) => Promise<never>,
	): EnginePorts {
		const ports = portsOf("completed", undefined);
		const asking: ChatModel = {
			provider: "p",
			model: "m",
			vendorHost: "h",
			generate: () => Promise.reject(new Error("not used")),
			async *stream(request, options): AsyncGenerator<ChatEvent> {
				yield await ask(request, { signal: options?.signal ?? AbortSignal.abort() });
			},
		};
		return {
			...ports,
			models: {
				async resolve(request, options) {
					const resolved = await ports.models.resolve(request, options);
					return request.node === hangs ? { ...resolved, model: asking } : resolved;
				},
			},
			...(hangs === "tool" ? { tools: { ...ports.tools, call: ask } } : {}),
			...(hangs === "remote" ? { agents: { run: ask } } : {}),
			...(hangs === "faq" ? { retriever: { retrieve: ask } } : {}),
		};
	}

	const unhurriedGraph: AgentGraph = { ...graph, limits: {} };
	const hanging = [...kinds, "desk"];

	it.each(hanging)(
		"aborts what the %s waits for, and tells of its end, before the caller goes on",
		async (hangs) => {
			const order: string[] = [];
			const controller = new AbortController();
			const requested = new Promise<void>((resolve) => {
				const ask = (_: unknown, { signal }: { readonly signal: AbortSignal }): Promise<never> => {
					signal.addEventListener("abort", () => order.push("aborted"));
					resolve();
					// It heeds nothing.
					return new Promise(() => undefined);
				};
				const engine = createEngine(unhurriedGraph, {
					host: countingHost(),
					ports: hangingPorts(hangs, ask),
				});
				const onEvent = ({ type }: RunEvent): unknown => type === "run.cancelled" && order.push(type);
				const run = engine.start({ input: "hello", signal: controller.signal, onEvent });
				run.result.then(({ status }) => order.push(status));
			});
			await requested;
			// Whatever else has an answer at once has it by then.
			await new Promise((resolve) => setTimeout(resolve, 0));
			expect(order).toEqual([]);
			controller.abort();
			order.push("the caller goes on");
			await undefined;
			expect(order).toEqual(["run.cancelled", "aborted", "the caller goes on", "cancelled"]);
		},
	);

	it.each(hanging)("closes what the %s asked of a server", async (hangs) => {
		const server = createServer();
		const closed = new Promise<void>((resolve) => {
			server.on("request", (request) => request.socket.once("close", resolve));
		});
		await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
		const { port } = server.address() as AddressInfo;
		const ask = async (_: unknown, { signal }: { readonly signal: AbortSignal }): Promise<never> => {
			await fetch(`http://127.0.0.1:${port}`, { signal });
			throw new Error("It never answers.");
		};
		const engine = createEngine(unhurriedGraph, { host: countingHost(), ports: hangingPorts(hangs, ask) });
		const controller = new AbortController();
		const requested = new Promise((resolve) => server.once("request", resolve));
		const run = engine.start({ input: "hello", signal: controller.signal });
		await requested;
		const start = process.threadCpuUsage();
		controller.abort();
		const [result] = await Promise.all([run.result, closed]);
		// A hundredth of it on a machine that does nothing else.
		expect(process.threadCpuUsage(start).user).toBeLessThan(2_000_000);
		expect(result.status).toBe("cancelled");
		server.close();
	});
});
