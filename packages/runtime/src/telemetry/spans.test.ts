import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
	BasicTracerProvider,
	InMemorySpanExporter,
	SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { createClient } from "@stemma/client";
import { type ChatEvent, type ChatModel, type ChatReply, type ReceiptRow, StemmaError } from "@stemma/core";
import { defineTool, type LocalPorts } from "@stemma/local";
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from "@stemma/simulators/otlp-receiver";
import { type SpanExport, startSpanExport } from "@stemma/telemetry";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createTestRuntime, STREAMED, scriptedPorts } from "../test-support/scripted";
import { startServiceStub } from "../test-support/service-stub";

const agents = {
	desk: {
		nodes: [
			{ id: "desk", kind: "coordinator" },
			{ id: "stock", kind: "tool", tool: "stock" },
		],
		edges: [{ from: "desk", to: "stock" }],
	},
};

const usage = { inputTokens: 10, outputTokens: 5, cachedTokens: 4 };
const toTextReply = (text: string): ChatReply => ({ text, toolCalls: [], finishReason: "stop", usage });
const toToolReply = (name: string, argument: string): ChatReply => ({
	text: "",
	toolCalls: [
		{ id: `call_${argument}`, name, arguments: JSON.stringify({ item: argument, input: argument }) },
	],
	finishReason: "tool_calls",
	usage,
	responseId: "resp_1",
	responseModel: "script-1-2026",
});

/** Gives one reply after the other; a turn takes as long as `turnMs` at least. */
function scripted(replies: readonly (ChatReply | Error)[], turnMs = 0): LocalPorts {
	let turn = 0;
	const model: ChatModel = {
		provider: "bedrock",
		model: "script-1",
		vendorHost: "models.example:8443",
		generate: () => Promise.reject(new Error("not used")),
		async *stream(): AsyncGenerator<ChatEvent> {
			const reply = replies[turn] ?? toTextReply("Done.");
			turn += 1;
			const startedAt = performance.now();
			while (performance.now() - startedAt < turnMs) await new Promise((resolve) => setTimeout(resolve, 10));
			if (reply instanceof Error) throw reply;
			yield { type: "finish", reply };
		},
	};
	return { models: { resolve: () => ({ model, payer: "workspace", reason: "Set." }) } };
}

const parameters = { type: "object" } as const;
const stock = defineTool({ parameters, run: () => 3 });
const broken = defineTool({
	parameters,
	run: () => {
		throw new Error("s3cret lamp is gone");
	},
});

const traceId = "0af7651916cd43dd8448eb211c80319c";
const traceparent = `00-${traceId}-b7ad6b7169203331-01`;

let receiver: OtlpReceiver;
let spanExport: SpanExport;

beforeEach(async () => {
	receiver = await startOtlpReceiver();
	vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", receiver.url);
	const service = { name: "stemma-runtime", version: "1.2.3" };
	const started = await startSpanExport({ service, environment: process.env, log: fail });
	if (started === undefined) throw new Error("Nothing is exported.");
	spanExport = started;
});

afterEach(async () => {
	vi.unstubAllEnvs();
	await spanExport.stop();
	receiver.close();
});

const fail = (line: string): never => {
	throw new Error(line);
};

/** All that was exported, once nothing more comes. */
async function readSpans(): Promise<readonly ReceivedSpan[]> {
	await spanExport.stop();
	return receiver.spans;
}

const named = (spans: readonly ReceivedSpan[], name: string): ReceivedSpan[] =>
	spans.filter((span) => span.name === name).sort((one, other) => one.start - other.start);

const only = (spans: readonly ReceivedSpan[], name: string): ReceivedSpan => {
	const [first, ...others] = named(spans, name);
	if (first === undefined || others.length > 0)
		throw new Error(`${others.length + 1} spans are named ${name}.`);
	return first;
};

/** Whether a span is within another one, by its parent and by its times. */
function expectInside(inner: ReceivedSpan, outer: ReceivedSpan): void {
	expect([inner.parentSpanId, inner.traceId]).toEqual([outer.spanId, outer.traceId]);
	expect(inner.start).toBeGreaterThanOrEqual(outer.start);
	expect(inner.end).toBeLessThanOrEqual(outer.end);
}

const runtimeWith = (ports: LocalPorts, options = {}) =>
	createTestRuntime({
		agents,
		ports,
		tools: { stock },
		tracerProvider: spanExport.tracerProvider,
		...options,
	});

describe("spans of a run", () => {
	it("are part of the request's trace, each within the one that it belongs to", async () => {
		const { post } = await runtimeWith(scripted([toToolReply("stock", "s3cret lamp")]));
		const result = await (await post("/run/desk", { input: "s3cret?" }, { traceparent })).json();
		expect(result.status).toBe("completed");
		const spans = await readSpans();
		const run = spans.find(({ parentSpanId }) => parentSpanId === "b7ad6b7169203331") ?? fail("No run.");
		const node = spans.find((span) => span.name === "invoke_agent desk" && span !== run) ?? fail("No node.");
		expectInside(node, run);
		for (const name of ["chat script-1", "execute_tool stock"])
			for (const span of named(spans, name)) expectInside(span, node);
		expect(spans.map(({ name }) => name).sort()).toEqual([
			"chat script-1",
			"chat script-1",
			"execute_tool stock",
			"invoke_agent desk",
			"invoke_agent desk",
		]);
		expect(new Set(spans.map((span) => span.traceId))).toEqual(new Set([traceId]));
		const [first, last] = named(spans, "chat script-1");
		expect([run.kind, node.kind, first?.kind]).toEqual(["internal", "internal", "client"]);
		expect(first?.attributes).toMatchObject({
			"gen_ai.operation.name": "chat",
			"gen_ai.provider.name": "aws.bedrock",
			"gen_ai.request.model": "script-1",
			"gen_ai.response.id": "resp_1",
			"gen_ai.response.model": "script-1-2026",
			"gen_ai.response.finish_reasons": ["tool_calls"],
			"gen_ai.usage.input_tokens": 10,
			"gen_ai.usage.output_tokens": 5,
			"gen_ai.usage.cache_read.input_tokens": 4,
			"server.address": "models.example",
			"server.port": 8443,
			"stemma.payer": "workspace",
		});
		expect(last?.attributes["gen_ai.response.finish_reasons"]).toEqual(["stop"]);
		expect(only(spans, "execute_tool stock").attributes).toMatchObject({
			"gen_ai.operation.name": "execute_tool",
			"gen_ai.tool.name": "stock",
			"gen_ai.tool.call.id": "call_s3cret lamp",
		});
		expect(run.attributes).toMatchObject({
			"gen_ai.operation.name": "invoke_agent",
			"gen_ai.agent.id": "desk",
			"stemma.run.id": result.run_id,
			"stemma.run.status": "completed",
		});
		expect(run.schemaUrl).toMatch(/^https:\/\/opentelemetry\.io\/schemas\//);
		expect(receiver.text().replaceAll("call_s3cret lamp", "")).not.toContain("s3cret");
	});

	it("have the tokens of each call once: their sum is that of the receipt", async () => {
		const { post } = await runtimeWith(
			scripted([toToolReply("stock", "lamp"), toToolReply("stock", "chair")]),
		);
		const { receipt } = await (await post("/run/desk", { input: "hi" })).json();
		const sum = (numbers: readonly number[]): number => numbers.reduce((one, other) => one + other, 0);
		const spans = await readSpans();
		for (const [column, attribute] of [
			["input_tokens", "gen_ai.usage.input_tokens"],
			["output_tokens", "gen_ai.usage.output_tokens"],
		] as const)
			expect(sum(spans.map(({ attributes }) => Number(attributes[attribute] ?? 0)))).toBe(
				sum(receipt.map((row: ReceiptRow) => row[column])),
			);
	});

	it("tell when each turn of a model began and ended", async () => {
		const turnMs = 300;
		const { post } = await runtimeWith(
			scripted([toToolReply("stock", "1"), toToolReply("stock", "2")], turnMs),
		);
		await post("/run/desk", { input: "hi" });
		const spans = await readSpans();
		const turns = named(spans, "chat script-1");
		expect(turns).toHaveLength(3);
		const [node] = named(spans, "invoke_agent desk").filter(
			({ spanId }) => spanId === turns[0]?.parentSpanId,
		);
		for (const [index, turn] of turns.entries()) {
			expect(turn.end - turn.start).toBeGreaterThan(0.9 * turnMs);
			expectInside(turn, node ?? fail("No node."));
			if (index > 0) expect(turn.start).toBeGreaterThanOrEqual(turns[index - 1]?.end ?? Number.NaN);
		}
	});

	it("have the errors, by their codes", async () => {
		const error = new StemmaError("s3cret", { code: "rate_limited" });
		const { post } = await runtimeWith(scripted([error]));
		await post("/run/desk", { input: "hi" });
		const spans = await readSpans();
		for (const span of spans) {
			expect(span.isError).toBe(true);
			expect(span.attributes["error.type"]).toBe("rate_limited");
		}
		expect(spans.map(({ name }) => name)).toContain("chat script-1");
		expect(receiver.text()).not.toContain("s3cret");
	});

	it("are closed where the run is cancelled", async () => {
		const { post } = await runtimeWith(scriptedPorts(() => new Promise(() => undefined)));
		const response = await post("/run/desk", { input: "hi" }, STREAMED);
		const reader = response.body?.getReader();
		const { value } = (await reader?.read()) ?? {};
		const [, id] = /"run_id":"([^"]+)"/.exec(new TextDecoder().decode(value)) ?? [];
		await post(`/runs/${id}/cancel`);
		await reader?.cancel();
		expect(only(await readSpans(), "chat script-1").attributes["error.type"]).toBe("cancelled");
	});

	it.each([false, true])("say what was said only where that is wanted: %s", async (traceContent) => {
		const options = { tools: { stock: broken }, traceContent };
		const { post } = await runtimeWith(scripted([toToolReply("stock", "s3cret lamp")]), options);
		await post("/run/desk", { input: "s3cret?" });
		const tool = only(await readSpans(), "execute_tool stock");
		expect([tool.isError, tool.attributes["error.type"]]).toEqual([true, "tool_failed"]);
		expect(tool.attributes["gen_ai.tool.call.arguments"] !== undefined).toBe(traceContent);
		expect(receiver.text().includes("s3cret?")).toBe(traceContent);
	});

	it("hold the vectors of a search within the search", async () => {
		const row = (stage: "embed" | "score"): ReceiptRow => ({
			stage,
			payer: "deployment",
			provider: "openai-compatible",
			vendor_host: "api.openai.com",
			model: `${stage}-1`,
			input_tokens: 7,
			output_tokens: 0,
			ms: 5,
			attempts: 1,
			reason: "Set.",
		});
		const retrieve = async () => {
			await new Promise((resolve) => setTimeout(resolve, 20));
			return { passages: [], receipt: [row("embed"), row("score")] };
		};
		const graph = {
			nodes: [
				{ id: "desk", kind: "coordinator" },
				{ id: "books", kind: "knowledge", knowledgeBases: ["kb_1"] },
			],
			edges: [{ from: "desk", to: "books" }],
		};
		const ports = { ...scripted([toToolReply("books", "lamp")]), retriever: { retrieve } };
		const { post } = await runtimeWith(ports, { agents: { desk: graph } });
		await post("/run/desk", { input: "hi" });
		const spans = await readSpans();
		const retrieval = only(spans, "retrieval");
		expect(retrieval.kind).toBe("client");
		expect(retrieval.attributes).toMatchObject({
			"gen_ai.operation.name": "retrieval",
			"gen_ai.data_source.id": "kb_1",
		});
		const embeddings = only(spans, "embeddings embed-1");
		expect(embeddings.kind).toBe("client");
		expect(embeddings.attributes).toMatchObject({
			"gen_ai.operation.name": "embeddings",
			"gen_ai.provider.name": "openai",
			"gen_ai.usage.input_tokens": 7,
			"server.address": "api.openai.com",
			"server.port": 443,
		});
		expectInside(embeddings, retrieval);
		expectInside(only(spans, "chat score-1"), retrieval);
	});

	it("go on after an approval with the tool that it was for, in spans that are linked to those before", async () => {
		const [coordinator, tool] = agents.desk.nodes;
		const graph = { ...agents.desk, nodes: [coordinator, { ...tool, approval: true }] };
		const { post, get } = await runtimeWith(scripted([toToolReply("stock", "lamp")]), {
			agents: { desk: graph },
		});
		const paused = await (await post("/run/desk", { input: "hi" }, { traceparent })).json();
		expect(paused.status).toBe("paused");
		const path = `/runs/${paused.run_id}`;
		const decided = await post(`${path}/approvals/${paused.approvals[0].id}`, { decision: "approve" });
		expect(decided.status).toBe(200);
		const ended = 'stemma_runs_ended_total{agent="desk",status="completed"} 1';
		await expect.poll(async () => (await get("/metrics")).text()).toContain(ended);
		const spans = await readSpans();
		const ran = only(spans, "execute_tool stock");
		expect(ran.attributes["gen_ai.tool.call.id"]).toBe("call_lamp");
		const [before, after] = named(spans, "invoke_agent desk").filter(
			({ attributes }) => attributes["stemma.node"],
		);
		expectInside(ran, after ?? fail("The node does not go on."));
		expect(after?.links).toEqual([before?.spanId]);
		const [first, second] = named(spans, "chat script-1");
		expect([first?.parentSpanId, second?.parentSpanId]).toEqual([before?.spanId, after?.spanId]);
		expect(new Set(spans.map((span) => span.traceId))).toEqual(new Set([traceId]));
	});

	it("are made for no trace that is malformed", async () => {
		const { post } = await runtimeWith(scripted([]));
		for (const bad of ["", "00-0-0-0", `00-${"0".repeat(32)}-b7ad6b7169203331-01`, "x".repeat(9999)])
			expect((await post("/run/desk", { input: "hi" }, { traceparent: bad })).status).toBe(200);
		const roots = (await readSpans()).filter(({ parentSpanId }) => parentSpanId === "");
		expect(roots.map(({ name }) => name)).toEqual(Array.from({ length: 4 }, () => "invoke_agent desk"));
	});
});

describe("a trace", () => {
	it("goes on at the service, within the span of each call", async () => {
		const service = await startServiceStub();
		const { port } = new URL(service.url);
		const client = createClient({
			baseUrl: `http://127.0.0.1:${port}`,
			clientId: "cl_1",
			clientSecret: "s3cret",
		});
		const graph = { nodes: [{ id: "desk", kind: "coordinator" }] };
		const { post } = await createTestRuntime({
			client,
			agents: { desk: graph, remote: { remoteAgentId: "ag_1" } },
			tracerProvider: spanExport.tracerProvider,
		});
		await post("/run/desk", { input: "hi" }, { traceparent });
		await post("/run/remote", { input: "hi" }, { traceparent });
		service.close();
		const spans = await readSpans();
		const headersOf = (route: string) => service.requests.find((one) => one.route === route)?.headers ?? {};
		const chat = spans.find(({ name }) => name.startsWith("chat")) ?? fail("No chat.");
		expect(headersOf("POST /v1/chat/completions").traceparent).toBe(`00-${traceId}-${chat.spanId}-01`);
		expect(headersOf("POST /v1/chat/completions").tracestate).toBe("stemma=usage");
		const run = only(spans, "invoke_agent remote");
		expect(run.kind).toBe("client");
		expect(headersOf("POST /v1/agents/ag_1/run").traceparent).toBe(`00-${traceId}-${run.spanId}-01`);
		expect(headersOf("POST /v1/agents/ag_1/run").tracestate).toBeUndefined();
	});
});

describe("startSpanExport", () => {
	it("names the process as the variables say", async () => {
		await spanExport.stop();
		vi.stubEnv("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=te%20st");
		const service = { name: "stemma-runtime", version: "1.2.3" };
		const spans = await startSpanExport({ service, environment: process.env, log: fail });
		const { post } = await runtimeWith(scripted([]), { tracerProvider: spans?.tracerProvider });
		await post("/run/desk", { input: "hi" });
		await spans?.stop();
		const [{ resource }] = JSON.parse(receiver.text()).resourceSpans;
		const attributes = resource.attributes.map((one: { key: string; value: { stringValue: string } }) => [
			one.key,
			one.value.stringValue,
		]);
		expect(Object.fromEntries(attributes)).toEqual({
			"service.name": "stemma-runtime",
			"service.version": "1.2.3",
			"deployment.environment.name": "te st",
		});
	});

	it.each([{}, { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1", OTEL_SDK_DISABLED: "true" }])(
		"does nothing where nothing is to be sent: %o",
		async (environment) => {
			const service = { name: "stemma-runtime", version: "1.2.3" };
			expect(await startSpanExport({ service, environment, log: fail })).toBeUndefined();
		},
	);

	it("holds nothing up where the collector is dead", async () => {
		const silent = createServer(() => undefined);
		await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
		const { port } = silent.address() as AddressInfo;
		vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", `http://127.0.0.1:${port}`);
		const service = { name: "stemma-runtime", version: "1.2.3" };
		const spans = await startSpanExport({ service, environment: process.env, log: fail });
		const { post } = await runtimeWith(scriptedPorts(), { tracerProvider: spans?.tracerProvider });
		for (let index = 0; index < 50; index++)
			expect((await (await post("/run/desk", { input: "hi" })).json()).status).toBe("completed");
		await spans?.stop();
		silent.closeAllConnections();
		silent.close();
	});
});

describe("without a collector", () => {
	it("a run goes on, and its requests have no trace of their own", async () => {
		const exporter = new InMemorySpanExporter();
		// Made, and given to nobody.
		new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
		const { post } = await createTestRuntime();
		expect((await post("/run/desk", { input: "hi" }, { traceparent })).status).toBe(200);
		expect(exporter.getFinishedSpans()).toEqual([]);
	});
});
