import type { AgentGraph, ChatEvent, ChatModel, RunEvent } from "@stemma/core";
import { describe, expect, it, vi } from "vitest";
import { calls, manualHost, passage, runScripted } from "../test-support/scripted";

const alone: AgentGraph = { nodes: [{ id: "desk", kind: "coordinator" }] };

const loop: AgentGraph = {
	nodes: [
		{ id: "desk", kind: "coordinator" },
		{ id: "again", kind: "agent" },
	],
	edges: [
		{ from: "desk", to: "again", mode: "then", when: { path: "", exists: true } },
		{ from: "again", to: "desk", mode: "then", when: { path: "", exists: true } },
	],
};

/** Says a few words, then waits until it is aborted or left. */
function hangingModel(onEnd: () => void): ChatModel {
	return {
		provider: "hanging",
		model: "h",
		vendorHost: "h.example",
		generate: () => Promise.reject(new Error("not used")),
		async *stream(_, options): AsyncGenerator<ChatEvent> {
			try {
				yield { type: "text.delta", text: "So far so good. " };
				await new Promise((_, reject) => {
					options?.signal?.addEventListener("abort", () => reject(options.signal?.reason));
				});
			} finally {
				onEnd();
			}
		},
	};
}

const portsOf = (model: ChatModel) => ({
	models: { resolve: () => ({ model, payer: "workspace" as const, reason: "" }) },
});

describe("limits", () => {
	it("ends the run before the step that would cross maxSteps", async () => {
		const { result } = await runScripted(loop, { limits: { maxSteps: 7 } });
		expect(result).toMatchObject({ status: "failed", error: { code: "max_steps" }, usage: { steps: 7 } });
		expect(result.error?.hint).toContain("limits.maxSteps");
	});

	it("ends a loop without limits of its own at 64 steps", async () => {
		const { result } = await runScripted(loop, {});
		expect(result).toMatchObject({ error: { code: "max_steps" }, usage: { steps: 64 } });
	});

	it("meets the graph's limits with the operator's: the smaller counts", async () => {
		const small = await runScripted({ ...loop, limits: { maxSteps: 5 } }, { limits: { maxSteps: 100 } });
		const large = await runScripted({ ...loop, limits: { maxSteps: 500 } }, { limits: { maxSteps: 90 } });
		const own = await runScripted({ ...loop, limits: { maxSteps: 500 } }, {});
		expect([small, large, own].map(({ result }) => result.usage.steps)).toEqual([5, 90, 500]);
	});

	it("gives the caller's model an error for a call that would be nested too deep", async () => {
		const { result, requests } = await runScripted(
			{
				nodes: [
					{ id: "desk", kind: "coordinator" },
					{ id: "aide", kind: "agent" },
				],
				edges: [
					{ from: "desk", to: "aide" },
					{ from: "aide", to: "desk" },
				],
				limits: { maxDepth: 3 },
			},
			{
				script: {
					desk: ({ messages }) => (messages.length === 1 ? calls(["aide", "help"]) : "desk done"),
					aide: ({ messages }) => (messages.length === 1 ? calls(["desk", "help"]) : "aide done"),
				},
			},
		);
		expect(Math.max(...requests.map(({ origin }) => origin?.depth ?? 0))).toBe(3);
		expect(
			requests.flatMap(({ messages }) => messages).find(({ content }) => content.startsWith("max_depth")),
		).toMatchObject({
			isError: true,
		});
		expect(result.status).toBe("completed");
	});

	it("ends the run when its time is up, with what was said so far", async () => {
		const host = manualHost();
		const onAbort = vi.fn();
		const { result } = await runScripted(alone, {
			host,
			limits: { timeoutMs: 50 },
			ports: portsOf(hangingModel(onAbort)),
			onEvent: ({ type }) => type === "text.delta" && queueMicrotask(() => host.advance(60)),
		});
		expect(result).toMatchObject({
			status: "failed",
			error: { code: "timeout" },
			output: "So far so good. ",
		});
		expect(result.receipt).toMatchObject([{ estimated: true, output_tokens: 4, ms: 60 }]);
		expect(onAbort).toHaveBeenCalledOnce();
	});

	it("sets tokens aside before a call and stops before the one that could cross maxTokens", async () => {
		const long = { text: "x".repeat(40), usage: { inputTokens: 10, outputTokens: 80 } };
		const { result, requests } = await runScripted(
			{ ...loop, limits: { maxTokens: 150 } },
			{ script: { desk: [long, long], again: [long, long] } },
		);
		expect(result).toMatchObject({ status: "failed", error: { code: "max_tokens" } });
		expect(requests).toHaveLength(2);
		expect(requests.map(({ maxOutputTokens }) => maxOutputTokens)).toEqual([148, 50]);
		expect(result.usage.input_tokens + result.usage.output_tokens).toBe(180);
	});

	it("keeps calls that run at once within maxTokens together", async () => {
		const fan: AgentGraph = {
			nodes: [
				{ id: "desk", kind: "coordinator", model: { maxOutputTokens: 40 } },
				{ id: "a", kind: "agent", model: { maxOutputTokens: 40 } },
				{ id: "b", kind: "agent", model: { maxOutputTokens: 40 } },
			],
			edges: [
				{ from: "desk", to: "a", mode: "before" },
				{ from: "desk", to: "b", mode: "before" },
			],
			limits: { maxTokens: 70 },
		};
		const { result, requests } = await runScripted(fan, {});
		expect(result.error?.code).toBe("max_tokens");
		expect(requests).toHaveLength(0);
	});
});

describe("cancelling", () => {
	it("stops everything under way at once and keeps what was done", async () => {
		const onAbort = vi.fn();
		const controller = new AbortController();
		const { result, events } = await runScripted(alone, {
			signal: controller.signal,
			ports: portsOf(hangingModel(onAbort)),
			onEvent: ({ type }) => type === "text.delta" && controller.abort(),
		});
		await Promise.resolve();
		expect(result).toMatchObject({ status: "cancelled", output: "So far so good. " });
		expect(result.error).toBeUndefined();
		expect(onAbort).toHaveBeenCalledOnce();
		expect(events.at(-2)).toMatchObject({ type: "node.failed", error: { code: "cancelled" } });
	});

	it("makes no call when the signal was aborted before the start", async () => {
		const { result, requests } = await runScripted(alone, { signal: AbortSignal.abort() });
		expect(result.status).toBe("cancelled");
		expect(requests).toHaveLength(0);
	});

	it("resolves although a port ignores the signal", async () => {
		const controller = new AbortController();
		const { result } = await runScripted(
			{
				nodes: [
					{ id: "desk", kind: "coordinator" },
					{ id: "faq", kind: "knowledge", knowledgeBases: ["a"] },
				],
				edges: [{ from: "desk", to: "faq", mode: "before" }],
			},
			{
				signal: controller.signal,
				ports: { retriever: { retrieve: () => new Promise(() => undefined) } },
				onEvent: (event) =>
					event.type === "node.started" && event.node === "faq" && queueMicrotask(() => controller.abort()),
			},
		);
		expect(result.status).toBe("cancelled");
	});

	it("leaves no listener on the signal and no timer", async () => {
		const controller = new AbortController();
		const add = vi.spyOn(controller.signal, "addEventListener");
		const remove = vi.spyOn(controller.signal, "removeEventListener");
		const stopTimer = vi.fn();
		const host = { ...manualHost(), setTimer: () => stopTimer };
		await runScripted(alone, { signal: controller.signal, host });
		expect(add).toHaveBeenCalledTimes(1);
		expect(remove).toHaveBeenCalledTimes(1);
		expect(stopTimer).toHaveBeenCalledOnce();
	});

	it("aborts the siblings of a prefetch that failed, and pays for them as estimated", async () => {
		const onAbort = vi.fn();
		const { result } = await runScripted(
			{
				nodes: [
					{ id: "desk", kind: "coordinator" },
					{ id: "slow", kind: "agent" },
					{ id: "faq", kind: "knowledge", knowledgeBases: ["a"] },
				],
				edges: [
					{ from: "desk", to: "slow", mode: "before" },
					{ from: "desk", to: "faq", mode: "before" },
				],
			},
			{
				ports: {
					...portsOf(hangingModel(onAbort)),
					retriever: {
						async retrieve() {
							await new Promise((resolve) => setTimeout(resolve, 5));
							throw new Error("gone");
						},
					},
				},
			},
		);
		expect(result).toMatchObject({ status: "failed", error: { code: "retrieval_failed" } });
		expect(result.receipt).toMatchObject([{ node: "slow", estimated: true }]);
		expect(onAbort).toHaveBeenCalledOnce();
	});
});

describe("failures", () => {
	it("put onto the receipt how often a call was tried, where the error tells", async () => {
		const error = Object.assign(new Error("overloaded"), { attempts: 3 });
		const { result } = await runScripted(alone, { script: { desk: [error] } });
		expect(result.receipt).toMatchObject([{ attempts: 3, estimated: true }]);
	});

	it("put onto the receipt what the call took, where the error tells", async () => {
		const usage = { inputTokens: 9, outputTokens: 4 };
		const { result } = await runScripted(alone, {
			script: { desk: [Object.assign(new Error("cut off"), { usage })] },
		});
		expect(result.receipt).toMatchObject([{ input_tokens: 9, output_tokens: 4 }]);
		expect(result.receipt[0]).not.toHaveProperty("estimated");
	});

	it("fails the run when the coordinator's model fails", async () => {
		const { result } = await runScripted(alone, { script: { desk: [new Error("no route to host")] } });
		expect(result).toMatchObject({
			status: "failed",
			error: { code: "model_failed", message: "no route to host" },
		});
	});

	it("takes a stream without an end for cut off", async () => {
		const model = { ...hangingModel(() => undefined), stream: async function* () {} };
		const { result } = await runScripted(alone, { ports: portsOf(model) });
		expect(result.error?.code).toBe("model_cut_off");
	});

	it("fails a node whose reply was filtered, and lets one stand that was cut by length", async () => {
		const filtered = await runScripted(alone, { script: { desk: [{ finishReason: "filtered" }] } });
		expect(filtered.result.error?.code).toBe("content_filtered");
		const cut = await runScripted(alone, {
			script: { desk: [{ text: "And then", finishReason: "length" }] },
		});
		expect(cut.result.output).toBe("And then");
		expect(cut.events.find(({ type }) => type === "node.completed")).toMatchObject({ truncated: true });
	});

	it("lists every model that is refused, before any is called", async () => {
		const { result, requests } = await runScripted(loop, {
			ports: {
				models: {
					resolve: ({ node }) => {
						throw new Error(`none for ${node}`);
					},
				},
			},
		});
		expect(result.error).toEqual({
			code: "model_refused",
			message: 'No model for "desk": none for desk "again": none for again',
		});
		expect(requests).toHaveLength(0);
	});

	it("ends the run before it starts when the context lacks what instructions need, and names all of it", async () => {
		const { result, requests } = await runScripted(
			{
				nodes: [
					{
						id: "desk",
						kind: "coordinator",
						instructions: "{{context.name}} {{context.tags}} {{context.note}} {{context.a.0}}",
					},
				],
			},
			{ context: { tags: ["x"], note: "y".repeat(501), a: [1] } },
		);
		expect(result.error?.code).toBe("context_invalid");
		expect(result.error?.message).toMatch(
			/: the instructions of "desk" need it, but context.name is missing, context.tags is an array[^"]*, context.note is longer than 500 characters\.$/,
		);
		expect(requests).toHaveLength(0);
	});

	it("fails a knowledge node that is given nothing to look for", async () => {
		const graph: AgentGraph = {
			nodes: [
				{ id: "desk", kind: "coordinator" },
				{ id: "faq", kind: "knowledge", knowledgeBases: ["a"] },
			],
			edges: [{ from: "desk", to: "faq", mode: "before" }],
		};
		const { result } = await runScripted(graph, { input: { order: 7 } });
		expect(result.error?.code).toBe("no_query");
		const run = await runScripted(graph, {
			input: { query: "refunds" },
			passages: { refunds: [passage("a", "x")] },
		});
		expect(run.requests[0]?.messages[0]?.content).toContain('"n":1');
	});

	it("rejects with what a listener throws", async () => {
		const onEvent = (event: RunEvent): void => {
			if (event.type === "node.started") throw new Error("listener broke");
		};
		await expect(runScripted(alone, { onEvent })).rejects.toThrow("listener broke");
	});
});
