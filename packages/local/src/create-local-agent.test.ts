import type { OutputSchema } from "@stemma/client";
import {
	type AgentGraph,
	AgentGraphError,
	type ChatEvent,
	type ChatModel,
	ConfigurationError,
	RunFailedError,
} from "@stemma/core";
import { clock } from "@stemma/core/internal";
import { describe, expect, it } from "vitest";
import { createLocalAgent, type LocalPorts } from "./index";

const graph: AgentGraph = { nodes: [{ id: "desk", kind: "coordinator" }] };

/** Answers with what it is told to say, a word at a time, and heeds the signal. */
function createReplyModel(reply: (input: string) => string): ChatModel {
	const model: ChatModel = {
		provider: "saying",
		model: "s",
		vendorHost: "",
		generate: () => Promise.reject(new Error("not used")),
		async *stream({ messages }, options): AsyncGenerator<ChatEvent> {
			const text = reply(messages.at(-1)?.content ?? "");
			for (const [word] of text.matchAll(/\S+\s*/g)) {
				await new Promise((resolve) => setTimeout(resolve, 1));
				if (options?.signal?.aborted === true) throw new Error("aborted");
				yield { type: "text.delta", text: word };
			}
			yield { type: "finish", reply: { text, toolCalls: [], finishReason: "stop" } };
		},
	};
	return model;
}

const portsOf = (reply: (input: string) => string): LocalPorts => ({
	models: { resolve: () => ({ model: createReplyModel(reply), payer: "none", reason: "In the test." }) },
});

const echo = portsOf((input) => `You said ${input}.`);
const broken = portsOf(() => {
	throw new Error("no voice");
});

describe("createLocalAgent", () => {
	it("runs a graph with the platform's clock and ids", async () => {
		const before = clock.now();
		const result = await createLocalAgent(graph, { ports: echo }).run({ input: "hi" });
		expect(result).toMatchObject({
			status: "completed",
			output: "You said hi.",
			run_id: expect.stringMatching(/^run_[0-9a-z]{26}$/),
		});
		const stream = createLocalAgent(graph, { ports: echo }).stream({ input: "hi" });
		for await (const { at } of stream) expect(at).toBeGreaterThanOrEqual(before);
	});

	it("refuses an invalid graph with every violation", () => {
		const make = () => createLocalAgent({ nodes: [] } as unknown as AgentGraph, { ports: echo });
		expect(make).toThrow(AgentGraphError);
	});

	it("names the ports that a graph needs and was not given", () => {
		const knowing: AgentGraph = {
			nodes: [...graph.nodes, { id: "faq", kind: "knowledge", knowledgeBases: ["faq"] }],
			edges: [{ from: "desk", to: "faq" }],
		};
		expect(() => createLocalAgent(knowing, { ports: {} })).toThrow(/`models`.*`retriever`/);
		expect(() => createLocalAgent(graph, { ports: echo })).not.toThrow();
	});

	it("refuses a graph that calls a tool which nobody registered", () => {
		const refund = { id: "refund", kind: "tool", tool: "refund", approval: true } as const;
		const edges = [{ from: "desk", to: "refund" }];
		const make = () => createLocalAgent({ nodes: [...graph.nodes, refund], edges }, { ports: echo });
		expect(make).toThrow(/tools that are not registered: "refund"/);
		expect(make).toThrow(ConfigurationError);
	});

	it("rejects a failed run with its result, and resolves a cancelled one", async () => {
		const failed = createLocalAgent(graph, { ports: broken }).run({ input: "hi" });
		await expect(failed).rejects.toSatisfy(
			(error) =>
				RunFailedError.is(error) && error.code === "model_failed" && error.result.status === "failed",
		);
		const cancelled = await createLocalAgent(graph, { ports: echo }).run({
			input: "hi",
			signal: AbortSignal.abort(),
		});
		expect(cancelled.status).toBe("cancelled");
	});

	it("checks `output` with JSON Schema, without eval", async () => {
		const schema = {
			type: "object",
			properties: { n: { type: "integer" } },
			required: ["n"],
			additionalProperties: false,
		};
		const withApproval: AgentGraph = { nodes: [{ id: "desk", kind: "coordinator", output: schema }] };
		const good = await createLocalAgent(withApproval, { ports: portsOf(() => '{"n":1}') }).run({ input: "" });
		expect(good.output).toEqual({ n: 1 });
		const bad = createLocalAgent(withApproval, { ports: portsOf(() => '{"n":"one"}') }).run({ input: "" });
		await expect(bad).rejects.toThrow(/\/n: .*integer/);
	});
});

describe("output", () => {
	const schema = (fits: boolean): OutputSchema<{ readonly validated: string }> => ({
		"~standard": {
			validate: (value) =>
				fits ? { value: { validated: String(value) } } : { issues: [{ message: "Too short." }] },
		},
	});
	const run = (
		reply: (input: string) => string,
		output: OutputSchema<{ readonly validated: string }>,
		signal?: AbortSignal,
	) => createLocalAgent(graph, { ports: portsOf(reply) }).run({ input: "hi", output, signal });

	it("is checked and typed by a Standard Schema at the call", async () => {
		const { output, status } = await run(() => "Yes.", schema(true));
		expect([status, output.validated]).toEqual(["completed", "Yes."]);
		await expect(run(() => "Yes.", schema(false))).rejects.toMatchObject({
			code: "output_invalid",
			message: expect.stringMatching(/^The output of run_\w+ does not fit `output`: Too short\.$/),
		});
	});

	it("is not checked where the run did not complete", async () => {
		expect((await run(() => "Yes.", schema(false), AbortSignal.abort())).status).toBe("cancelled");
		await expect(
			run(() => {
				throw new Error("no voice");
			}, schema(false)),
		).rejects.toSatisfy(RunFailedError.is);
	});
});

it("refuses two who would call the tools", () => {
	const tools = { describe: () => Promise.reject(), call: () => Promise.reject() };
	const make = () => createLocalAgent(graph, { ports: { ...echo, tools }, tools: {} });
	expect(make).toThrow("`tools` and `ports.tools` were given");
});

describe("stream", () => {
	it("gives events as they happen, then the result", async () => {
		const stream = createLocalAgent(graph, { ports: echo }).stream({ input: "hi" });
		const types: string[] = [];
		for await (const event of stream) types.push(event.type);
		expect(types).toEqual([
			"run.started",
			"node.started",
			"text.delta",
			"text.delta",
			"text.delta",
			"node.completed",
			"run.completed",
		]);
		expect(await stream.text()).toBe("You said hi.");
		expect((await stream.result()).status).toBe("completed");
	});

	it("loses nothing when it is read late", async () => {
		const stream = createLocalAgent(graph, { ports: echo }).stream({ input: "hi" });
		await stream.result();
		let last = 0;
		for await (const { seq } of stream) last = seq;
		expect(last).toBe(7);
	});

	it("goes on when the reader leaves", async () => {
		const stream = createLocalAgent(graph, { ports: echo }).stream({ input: "hi" });
		for await (const { type } of stream) if (type === "text.delta") break;
		expect((await stream.result()).output).toBe("You said hi.");
	});

	it("ends reading on close, while the run goes on", async () => {
		const stream = createLocalAgent(graph, { ports: echo }).stream({ input: "hi" });
		stream.close();
		for await (const _ of stream) expect.unreachable();
		expect(await stream.text()).toBe("You said hi.");
	});

	it("stops the run on cancel, and on the caller's signal", async () => {
		const agent = createLocalAgent(graph, { ports: echo });
		const cancelled = agent.stream({ input: "hi" });
		for await (const { type } of cancelled) if (type === "text.delta") cancelled.cancel();
		expect(await cancelled.result()).toMatchObject({ status: "cancelled", output: "You " });
		const controller = new AbortController();
		const aborted = agent.stream({ input: "hi", signal: controller.signal });
		controller.abort();
		expect((await aborted.result()).status).toBe("cancelled");
	});

	it("ends reading with run.failed, and fails the result", async () => {
		const stream = createLocalAgent(graph, { ports: broken }).stream({ input: "hi" });
		let last = "";
		for await (const { type } of stream) last = type;
		expect(last).toBe("run.failed");
		await expect(stream.text()).rejects.toThrow("no voice");
	});
});
